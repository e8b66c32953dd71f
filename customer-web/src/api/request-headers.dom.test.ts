import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { storage } from '@/storage/storage'
import { correctClock, requestHeaders, serverNow, sign } from './request-headers'
import { sha256Hex } from './sha256'

describe('sha256Hex', () => {
  test.each(['', 'abc', 'ü€😀', 'a'.repeat(55), 'a'.repeat(56), 'a'.repeat(64), 'x'.repeat(1000)])(
    'of %j',
    (text) => {
      expect(sha256Hex(text)).toBe(createHash('sha256').update(text).digest('hex'))
    },
  )
})

describe('request headers', () => {
  test('newsign is ten characters of the hash of time and key', () => {
    const { localtimes, newsign } = sign(1763653328000)
    const full = createHash('sha256').update('1763653328000candor-web').digest('hex')
    expect(localtimes).toBe('1763653328000')
    expect(newsign).toBe(full.slice(0, 10))
  })

  test('every name of the specification is there', () => {
    storage.write('token', 'abc')
    const headers = requestHeaders()
    expect(Object.keys(headers).sort()).toEqual([
      'apptoken',
      'domain',
      'language',
      'languageType',
      'localtimes',
      'newsign',
      'platformType',
      'traceId',
    ])
    expect(headers).toMatchObject({ apptoken: 'abc', platformType: '1', languageType: '3' })
    expect(headers.traceId).toMatch(/^[0-9a-f]{32}$/)
  })

  test('a wrong clock is corrected', () => {
    correctClock(Date.now() + 3_600_000)
    expect(serverNow() - Date.now()).toBeGreaterThan(3_590_000)
    correctClock(Date.now())
  })
})
