/** For A4 and for screens; nothing is told by colour alone. */
export const STYLE = `
@page { size: A4; margin: 18mm 16mm 20mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; } }
* { box-sizing: border-box; }
html { font: 10pt/1.45 Georgia, "Times New Roman", serif; color: #000; background: #fff; }
body { max-width: 178mm; margin: 0 auto; padding: 0; overflow-wrap: break-word; }
h1, h2, h3, th, .label, nav { font-family: "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 20pt; line-height: 1.15; margin: 0 0 2mm; overflow-wrap: anywhere; }
h2 { font-size: 13pt; margin: 9mm 0 2.5mm; padding-top: 1.5mm; border-top: 1.5pt solid #000; break-after: avoid; }
h3 { font-size: 10.5pt; margin: 5mm 0 1.5mm; break-after: avoid; }
p, ul, ol { margin: 0 0 2.5mm; orphans: 3; widows: 3; }
ul, ol { padding-left: 6mm; }
li { margin-bottom: 1.2mm; overflow-wrap: anywhere; }
.nature { font-style: italic; }
.warnings { border: 2pt solid #000; padding: 3mm 4mm 1.5mm; margin: 5mm 0; break-inside: avoid; }
.warnings h2 { border: 0; margin: 0 0 1.5mm; padding: 0; font-size: 11pt; }
.number { font: bold 30pt/1 "Helvetica Neue", Arial, sans-serif; margin: 0; }
.figures { display: flex; gap: 8mm; align-items: flex-start; margin: 5mm 0; break-inside: avoid; }
.figures > div { flex: 1; }
table { width: 100%; border-collapse: collapse; margin: 0 0 4mm; font-size: 8.8pt; line-height: 1.35; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { text-align: left; vertical-align: top; padding: 1.2mm 3mm 1.2mm 0; border-bottom: 0.5pt solid #999; overflow-wrap: anywhere; }
th { font-size: 8pt; border-bottom: 1pt solid #000; overflow-wrap: normal; }
.s { white-space: nowrap; overflow-wrap: normal; }
td ul { padding-left: 3.5mm; margin: 0; }
td li { margin: 0 0 0.6mm; }
td.n, th.n { text-align: right; white-space: nowrap; overflow-wrap: normal; padding-right: 3mm; }
td.bar { width: 42mm; padding-top: 2mm; }
dl { display: grid; grid-template-columns: 38mm 1fr; gap: 0.8mm 4mm; margin: 0 0 4mm; font-size: 9pt; }
dt { font-weight: bold; } dd { margin: 0; overflow-wrap: anywhere; }
code, .hash { font: 7.8pt/1.4 "DejaVu Sans Mono", Consolas, monospace; overflow-wrap: anywhere; }
blockquote { margin: 1mm 0 1mm 0; padding-left: 3mm; border-left: 1.5pt solid #000; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
.finding { break-inside: avoid-page; margin-bottom: 3mm; }
.finding p { margin-bottom: 1mm; }
.together { break-inside: avoid; }
.small { font-size: 8.5pt; }
small { font-size: 88%; font-weight: normal; }
.signatures { break-inside: avoid; }
.signatures td { height: 13mm; }
.signatures th { width: 30%; }
.signatures th:nth-child(1) { width: 25%; }
.signatures th:nth-child(3) { width: 15%; }
svg { display: block; }
a { color: inherit; }
.label { margin-bottom: 1mm; }
.grid { margin: 4mm 0; break-inside: avoid; }
.grid ul { list-style: none; padding: 0; margin: 0 0 1.5mm; columns: 2; column-gap: 8mm; font-size: 8.2pt; line-height: 1.3; }
.grid li { display: flex; justify-content: space-between; gap: 3mm; margin: 0; padding: 0.4mm 0; border-bottom: 0.5pt solid #999; break-inside: avoid; }
.marks { white-space: nowrap; font-family: "DejaVu Sans", "Segoe UI Symbol", sans-serif; }
.bars { margin: 0; }
.bars td { border: 0; padding: 0.3mm 3mm 0.3mm 0; white-space: nowrap; }
.bars td.version { white-space: normal; }
.bars td.bar { width: 60%; padding-top: 1.2mm; }
.bars td.version ~ td.bar { width: 40%; }
nav { margin: 4mm 0; break-inside: avoid; }
nav ol { columns: 2; column-gap: 8mm; font-size: 8.5pt; margin: 0; }
nav li { margin: 0; }
@media screen { body { padding: 12mm 6mm; } }
@media screen and (max-width: 600px) {
  body { padding: 5mm 4mm; }
  h1 { font-size: 16pt; }
  .figures { flex-direction: column; align-items: stretch; gap: 5mm; }
  .figures > .gravest { order: -1; }
  .grid ul, nav ol { columns: 1; }
  dl { grid-template-columns: 1fr; }
  table { font-size: 8pt; }
  th { font-size: 7.2pt; }
  th, td { padding-right: 1.5mm; }
  td.n, th.n { white-space: normal; padding-right: 1.5mm; }
  td .marks { white-space: normal; }
  td.bar { width: 20%; }
  .bars td.bar { width: 50%; }
}
`;
