import { expect, test } from 'vitest'
import { apple, bitcoin, eurusd, gold, hongKong, sampleProduct } from '@/testing/market-sample'
import { productNameIn } from './product-name'

const texts: Record<string, string> = {
  'product.asset.xau': '黄金',
  'product.asset.btc': '比特币',
  'product.asset.hk50': '香港50指数',
}
const inChinese = (product: typeof eurusd) =>
  productNameIn(product, 'zh-Hans-CN', (key) => texts[key] ?? key)

test('English names are those of the server', () => {
  expect(productNameIn(eurusd, 'en-US', (key) => key)).toBe('Euro / US dollar')
})

test('other languages name currencies, metals, coins and indices', () => {
  expect(inChinese(eurusd)).toBe('欧元 / 美元')
  expect(inChinese(gold)).toBe('黄金 / 美元')
  expect(inChinese(bitcoin)).toBe('比特币 / 美元')
  expect(inChinese(hongKong)).toBe('香港50指数')
})

test('companies keep their names, and so does what has none here', () => {
  expect(inChinese(apple)).toBe('Apple')
  const fresh = sampleProduct({
    type: 'crypto',
    base: 'NEWCOIN',
    productName: 'Newcoin / US dollar',
  })
  expect(inChinese(fresh)).toBe('Newcoin / US dollar')
})
