#pragma once
// How a report's page looks: on a desk, on a phone, in the dark and on paper. Every pair of colours
// has a contrast of at least 4.5, which tests/report/browser_test.py measures.

namespace sigstab {

inline constexpr const char* kDocumentStyle = R"css(
:root {
  --page: #ffffff; --text: #1f2328; --quiet: #57606a; --line: #d0d7de; --soft: #f6f8fa;
  --link: #0550ae; --good: #116329; --bad: #a40e26; --bad-soft: #ffebe9; --note-soft: #fff8c5;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --page: #0d1117; --text: #e6edf3; --quiet: #9da7b3; --line: #3d444d; --soft: #161b22;
    --link: #79c0ff; --good: #7ee787; --bad: #ffa198; --bad-soft: #3d1418; --note-soft: #32290b;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 64rem;
  background: var(--page); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; }
h1 { font-size: 1.75rem; margin: 0 0 .75rem; }
.chapters > section { margin-top: 3rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
h2 { font-size: 1.35rem; margin: 2rem 0 .5rem; }
section > h2:first-child { margin-top: 0; }
h3 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p { margin: .5rem 0; max-width: 46rem; }
a { color: var(--link); }
.quiet { color: var(--quiet); }
.model, .scalars { white-space: pre-wrap; }
.note { background: var(--note-soft); border-left: .25rem solid currentColor; padding: .5rem .75rem; }
nav ol { padding-left: 1.75rem; }
.scroll {
  overflow-x: auto; width: fit-content; max-width: 100%; margin: .5rem 0;
  border: 1px solid var(--line); border-radius: .375rem;
}
.scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
table {
  border-collapse: collapse; font-size: .875rem; line-height: 1.4; overflow-wrap: normal;
  font-variant-numeric: tabular-nums;
}
th, td { padding: .3rem .75rem; text-align: right; white-space: nowrap; }
thead th { border-bottom: 1px solid var(--line); color: var(--quiet); font-weight: 600; }
tbody tr + tr > * { border-top: 1px solid var(--line); }
tbody th { font-weight: 600; }
th:first-child {
  position: sticky; left: 0; background: var(--page);
  white-space: normal; max-width: min(16rem, 40vw); overflow-wrap: break-word;
}
.words th, .words td { text-align: left; vertical-align: top; }
.words td > div {
  width: max-content; max-width: 12rem; white-space: pre-wrap; overflow-wrap: anywhere;
}
.pass th { color: var(--good); }
.miss th, .miss td { background: var(--bad-soft); }
.miss th { color: var(--bad); }
.verdicts { margin: .5rem 0; padding-left: 1.25rem; }
figure.scroll { margin: 1rem 0; }
figure img { display: block; width: 50rem; min-width: 40rem; max-width: 100%; height: auto; }
pre {
  margin: .5rem 0; padding: .75rem; background: var(--soft); border: 1px solid var(--line);
  border-radius: .375rem; white-space: pre-wrap; overflow-wrap: anywhere;
  font: .8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
summary { cursor: pointer; color: var(--link); padding: .25rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .125rem 1rem; margin: .75rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; }
@media (max-width: 30rem) {
  dl { grid-template-columns: 1fr; gap: 0; }
  dd + dt { margin-top: .375rem; }
}
@media print {
  @page { margin: 15mm; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  a { color: inherit; text-decoration: none; }
  .scroll { overflow: visible; border: 0; }
  table { font-size: 8pt; }
  th, td { padding: .15rem .4rem; }
  th:first-child { position: static; }
  .words td > div { width: auto; max-width: none; overflow-wrap: break-word; }
  figure img { min-width: 0; }
  details ~ details { display: none; }
  thead { display: table-header-group; }
  tr, figure, li { break-inside: avoid; }
  h1, h2, h3, h4 { break-after: avoid; }
  pre { font-size: 8pt; }
  details::details-content { content-visibility: visible; display: block; block-size: auto; }
}
)css";

}  // namespace sigstab
