/** An address without its middle, only to recognise it by: 0x5aAe…eAed. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
