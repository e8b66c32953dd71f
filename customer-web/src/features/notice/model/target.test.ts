import { expect, test } from 'vitest'
import { productIn, targetOf } from './target'

const hasPath = (path: string) => path === '/trade'

test.each([
  ['/trade?product=1', { to: '/trade?product=1' }],
  ['#/trade', { to: '/trade' }],
  ['https://x.example/a', { href: 'https://x.example/a' }],
  ['/nowhere', null],
  ['//x.example', null],
  ['http://x.example', null],
  ['javascript:alert(1)', null],
  ['', null],
])('%s leads to the right place or to none', (link, target) => {
  expect(targetOf(link, hasPath)).toEqual(target)
})

test.each([
  ['/trade?product=101', 101],
  ['#/pc/trade?x=1&product=7', 7],
  ['/trade', null],
  ['/quotes?product=1', null],
  ['https://x.example/trade?product=1', null],
])('%s names its product or none', (link, product) => {
  expect(productIn(link)).toBe(product)
})
