export type AddressGroup = { text: string; end: boolean }

/** Groups of four, counted from behind so that the last is whole; what stands before the first is its beginning ("0x"). */
export function addressGroups(address: string): AddressGroup[] {
  const head = address.length % 4
  const groups = address.slice(head).match(/.{4}/gu) ?? []
  const texts = head > 0 ? [address.slice(0, head), ...groups] : groups
  const begins = head > 0 ? 2 : 1
  return texts.map((text, at) => ({ text, end: at < begins || at === texts.length - 1 }))
}
