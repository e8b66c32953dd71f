// Writes bank statements as a bank would.

/** The account of a new installation in development. */
const IBAN = 'DE89370400440532013000'

const decimals = (cents) =>
  `${Math.floor(Math.abs(cents) / 100)},${String(Math.abs(cents) % 100).padStart(2, '0')}`
const day = () => new Date().toISOString().slice(2, 10).replaceAll('-', '')

/** An MT940 file with these lines, each { cents, bank, name, text }, from an opening balance in cents. */
export function mt940(number, opening, lines) {
  const balance = (cents) => `${cents < 0 ? 'D' : 'C'}${day()}USD${decimals(cents)}`
  const rows = [`:20:STMT${number}`, `:25:${IBAN}`, `:28C:${number}/1`, `:60F:${balance(opening)}`]
  let closing = opening
  for (const { cents, bank, name = '', text = '' } of lines) {
    rows.push(
      `:61:${day()}${day().slice(2)}${cents < 0 ? 'D' : 'C'}${decimals(cents)}NTRFNONREF//${bank}`,
      `:86:166?00TRANSFER?20${text}?32${name}`,
    )
    closing += cents
  }
  rows.push(`:62F:${balance(closing)}`, '-')
  return {
    name: `statement-${number}.sta`,
    mimeType: 'text/plain',
    buffer: Buffer.from(rows.join('\r\n')),
  }
}
