/** A PDF of so many pages with the same line. */
export function pdf(pages) {
  const line = 'BT /F 24 Tf 50 700 Td (Paid 111.20 EUR) Tj ET'
  return Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Count ${pages}/Kids[${'3 0 R '.repeat(pages)}]>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length ${line.length}>>stream
${line}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF`)
}
