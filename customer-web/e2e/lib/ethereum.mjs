// An Ethereum wallet for tests: it announces itself to the page (EIP-6963) and signs with a key of its own, in this process.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** Gives every page of a context a wallet; `decline` makes it refuse the next signature. */
export async function giveWallet(context) {
  const key = secp256k1.utils.randomSecretKey()
  const point = secp256k1.getPublicKey(key, false).slice(1)
  const address = `0x${bytesToHex(keccak_256(point).slice(-20))}`
  let declines = false
  const sign = (hex) => {
    const text = hexToBytes(hex.slice(2))
    const prefix = utf8ToBytes(`\x19Ethereum Signed Message:\n${text.length}`)
    const digest = keccak_256(concatBytes(prefix, text))
    const signed = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
    return `0x${bytesToHex(signed.slice(1))}${(27 + signed[0]).toString(16)}`
  }
  await context.exposeFunction('testWallet', ({ method, params }) => {
    switch (method) {
      case 'eth_requestAccounts':
        return { result: [address] }
      case 'eth_chainId':
        return { result: '0x1' }
      case 'personal_sign':
        if (declines) {
          declines = false
          return { code: 4001 }
        }
        return { result: sign(params[0]) }
      default:
        return { code: -32601 }
    }
  })
  await context.addInitScript(() => {
    const provider = {
      request: async (asked) => {
        const { result, code } = await window.testWallet(asked)
        if (code) throw Object.assign(new Error(asked.method), { code })
        return result
      },
    }
    const icon =
      'data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="teal"/></svg>'
    const detail = Object.freeze({
      info: { uuid: 'test-wallet', name: 'Test wallet', icon, rdns: 'example.wallet' },
      provider,
    })
    const announce = () =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  })
  return {
    address,
    decline: () => {
      declines = true
    },
  }
}
