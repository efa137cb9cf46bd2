#!/usr/bin/python3
"""Holds configs/sigstab.schema.json against an independent validator: every config that comes with sigstab, and some that
sigstab accepts, must fit; configs that sigstab refuses for a key's type, range, name or spelling must not.

usage: check_schema.py SIGSTAB          (apt-get install python3-jsonschema)
"""
import json, pathlib, subprocess, sys, tempfile

import jsonschema

GOOD = [
    {},
    {"$schema": "./s.json", "extends": "relu-depth", "depth": 3, "norm": None},
    {"norm": "layernorm", "residual": {"scheme": "plain", "branch": 0.5}},
    {"init": {"kind": "normal", "spread": 0.02, "W": {"gain": 2}}},
    {"cases": [{"name": "a", "norm": {"eps": 1e-6}}, {"name": "b", "init": None}]},
    {"sweep": {"depth": [1, 2]}, "seeds": {"from": 0, "count": 3}},
    {"experiment": "norm_arithmetic"},
    {"extends": "norm-arithmetic", "values": [1, 2]},
    {"experiment": None, "depth": 3},
    {"random": {"seed": "123456789012345678901234567890", "generator": "numpy", "each": ["input", "weights"]}},
]
BAD = [
    [],
    {"wdth": 4},
    {"width": "4"},
    {"width": 0},
    {"width": 3.5},
    {"depth": 100001},
    {"activation": "relo"},
    {"norm": {"kind": "layernorm", "epsilon": 1}},
    {"norm": {"kind": "layernorm", "eps": -1}},
    {"residual": {"kind": "plain"}},
    {"extends": 5},
    {"extends": "relu-depth", "wdth": 4},
    {"cases": []},
    {"cases": [{"norm": "none"}]},
    {"cases": [{"name": "a", "wdth": 4}]},
    {"cases": [{"name": "a", "title": "no"}]},
    {"sweep": {"depth": 3}},
    {"experiment": "dept"},
    {"experiment": "norm_arithmetic", "depth": 3},
    {"report": {"colums": ["forward_rms"]}},
]


def accepted(config, binary, folder):
    path = pathlib.Path(folder, "config.json")
    path.write_text(json.dumps(config))
    return subprocess.run([binary, "validate", path], capture_output=True).returncode == 0


def main():
    root = pathlib.Path(__file__).resolve().parents[1]
    schema = json.loads((root / "configs/sigstab.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    wrong = 0
    canned = [json.loads(path.read_text()) for path in sorted(root.glob("configs/*/*.json"))]
    with tempfile.TemporaryDirectory() as folder:
        for fits, configs in [(True, canned + GOOD), (False, BAD)]:
            for config in configs:
                for who, verdict in [("schema", validator.is_valid(config)),
                                     ("sigstab", accepted(config, sys.argv[1], folder))]:
                    if verdict != fits:
                        wrong += 1
                        print(f"{who} {'accepts' if verdict else 'refuses'} {json.dumps(config)[:200]}")
    print(f"{len(canned)} canned, {len(GOOD)} good and {len(BAD)} bad configs: {wrong} wrong verdicts")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
