import { describe, expect, test } from 'vitest'
import { addressProblem } from './address-format'

const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const segwit = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

describe('what fits', () => {
  test.each([
    ['ethereum', evm],
    ['ethereum', ` ${evm}\n`],
    ['ethereum', evm.toLowerCase()],
    ['ethereum', `0X${evm.slice(2).toUpperCase()}`],
    ['ethereum', '0xde709f2102306220921060314715629080e2fb77'],
    ['tron', tron],
    ['tron', 'TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW'],
    ['bitcoin', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    ['bitcoin', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
    ['bitcoin', segwit],
    ['bitcoin', segwit.toUpperCase()],
    ['bitcoin', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
    ['bitcoin', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
    ['another', 'whatever the server knows better'],
  ])('%s %s', (chain, address) => expect(addressProblem(chain, address)).toBeNull())
})

describe('what does not', () => {
  test.each([
    ['ethereum', '', 'form'],
    ['ethereum', evm.slice(0, 41), 'form'],
    ['ethereum', evm.replace('A', 'a'), 'checksum'],
    ['tron', tron.slice(0, 33), 'form'],
    ['tron', `${tron.slice(0, 33)}u`, 'checksum'],
    ['bitcoin', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3', 'checksum'],
    ['bitcoin', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'form'],
    ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'checksum'],
    ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'checksum'],
    ['bitcoin', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', 'checksum'],
    ['bitcoin', 'bc1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'checksum'],
    ['bitcoin', 'bc1pfeessrawgf', 'checksum'],
    ['bitcoin', 'BC1SW50QGDZ25J', 'form'],
    ['bitcoin', 'bc1', 'checksum'],
    ['bitcoin', `bc1${'q'.repeat(5000)}`, 'form'],
  ])('%s %s is a problem of %s', (chain, address, kind) =>
    expect(addressProblem(chain, address)).toEqual({ kind }),
  )

  test.each([
    ['tron', evm, 'ethereum'],
    ['bitcoin', tron, 'tron'],
    ['ethereum', segwit, 'bitcoin'],
    ['tron', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'bitcoin'],
  ])('on %s, %s is called an address of %s', (chain, address, other) =>
    expect(addressProblem(chain, address)).toEqual({ kind: 'chain', chain: other }),
  )
})
