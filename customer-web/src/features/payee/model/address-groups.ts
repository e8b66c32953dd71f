export type AddressGroup = { text: string; end: boolean }

/** Groups of four, counted from the end so that the last group is complete; the rest is the prefix ("0x"). */
export function addressGroups(address: string): AddressGroup[] {
  const head = address.length % 4
  const groups = address.slice(head).match(/.{4}/gu) ?? []
  const texts = head > 0 ? [address.slice(0, head), ...groups] : groups
  const begins = head > 0 ? 2 : 1
  return texts.map((text, at) => ({ text, end: at < begins || at === texts.length - 1 }))
}
