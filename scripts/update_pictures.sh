#!/bin/sh
# Draws the pictures of README.md and docs/ anew: docs/pictures/*.svg, of the article's experiments.
#
# usage: update_pictures.sh SIGSTAB
# The bytes depend on the version of gnuplot, and on nothing else of the machine but its BLAS core.
set -eu
sigstab=$(realpath "$1")
cd "$(dirname "$0")/.."

mkdir -p docs/pictures
for name in linear-depth relu-depth rmsnorm-stack tanh-residual gelu-stream pre-post-norm; do
  "$sigstab" run "$name" --plot "docs/pictures/$name.svg" >/dev/null
done
