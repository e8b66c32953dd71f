import { afterEach, describe, expect, test, vi } from 'vitest'
import { addressIn, addressInPicture, canReadQr } from './qr'

const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const contract = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

describe('the address in a QR code', () => {
  test.each([
    [tron, tron],
    [` ${tron}\n`, tron],
    [`tron:${tron}`, tron],
    [`ethereum:${evm}`, evm],
    [`ethereum:${evm}@1?value=1e18`, evm],
    [`Ethereum:${contract}/transfer?address=${evm}&uint256=1e6`, evm],
    [`ethereum:${contract}@1/transfer?uint256=1e6&address=${evm}`, evm],
    [`ethereum:${contract}/transfer`, ''],
    ['', ''],
  ])('%s', (text, address) => expect(addressIn(text)).toBe(address))
})

describe('a picture', () => {
  afterEach(() => vi.unstubAllGlobals())

  const readsAs = (...texts: string[]) =>
    vi.stubGlobal(
      'BarcodeDetector',
      class {
        detect = async () => texts.map((rawValue) => ({ rawValue }))
      },
    )

  test('is read by the browser', async () => {
    readsAs(`ethereum:${evm}`)
    expect(canReadQr()).toBe(true)
    expect(await addressInPicture(new Blob())).toBe(evm)
  })

  test('without a code has no address', async () => {
    readsAs()
    expect(await addressInPicture(new Blob())).toBeUndefined()
  })

  test('is not read where the browser can not', async () => {
    expect(canReadQr()).toBe(false)
    expect(await addressInPicture(new Blob())).toBeUndefined()
  })
})
