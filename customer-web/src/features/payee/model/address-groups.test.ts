import { expect, test } from 'vitest'
import { addressGroups } from './address-groups'

const shown = (address: string) =>
  addressGroups(address)
    .map(({ text, end }) => (end ? `[${text}]` : text))
    .join(' ')

test.each([
  ['0x11112222333344445555', '[0x] [1111] 2222 3333 4444 [5555]'],
  ['TR7NHqjeKQxG', '[TR7N] Hqje [KQxG]'],
  ['', ''],
])('%s is read as %s', (address, groups) => expect(shown(address)).toBe(groups))
