import { describe, expect, test } from 'vitest'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { sampleProduct } from '@/testing/market-sample'
// Written by the engine's tests: the requirement of orders, and the maximum volume.
import fixture from './demand.fixture.json'
import { exposureOf } from './order-effect'
import { maxLots, orderRequirement } from './order-requirement'

type Case = (typeof fixture.cases)[number]

const quotes: Record<string, { bid: string; ask: string }> = fixture.quotes
const read = (id: number) => quotes[id]
const products = fixture.products as unknown as Record<string, Partial<Product>>

function stage({ product: symbol, netting, positions, statistics, side, leverage, price }: Case) {
  const product = sampleProduct(products[symbol] ?? {})
  const open = positions as unknown as Wire['Position'][]
  const own = open.find(({ productId }) => productId === product.productId)
  return {
    product,
    ground: { now: exposureOf(product, open, statistics), held: netting ? own : undefined },
    deal: { side: side as 'buy' | 'sell', leverage, price },
  }
}

test('the cases have orders that are carried and such that are not, and every kind of end', () => {
  const orders = fixture.cases.flatMap((one) => one.orders)
  expect(orders.filter(({ lacks }) => !lacks).length).toBeGreaterThan(100)
  expect(orders.filter(({ lacks }) => lacks).length).toBeGreaterThan(100)
  expect(orders.some(({ margin }) => margin.startsWith('-'))).toBe(true)
  const mosts = fixture.cases.map(({ most, product }) => most === products[product]?.lotMax)
  expect(new Set(mosts).size).toBe(2)
  // A small order may be refused where a larger one is accepted, because hedged lots need less margin.
  expect(
    fixture.cases.some(
      ({ orders: [first], most }) => first?.lacks && Number(most) > Number(first.lots),
    ),
  ).toBe(true)
})

describe.each(fixture.cases)('$name: $side', (one) => {
  test('margin, costs and the refusal are the engine’s', () => {
    const { product, ground, deal } = stage(one)
    const found = one.orders.map(({ lots }) => ({
      lots,
      ...orderRequirement(product, ground, { ...deal, lots }, read),
    }))
    expect(found).toEqual(one.orders)
  })

  test('so is the largest volume', () => {
    const { product, ground, deal } = stage(one)
    expect(maxLots(product, ground, deal, read)).toBe(one.most)
  })
})

test('nothing is said while a price is missing', () => {
  const [one] = fixture.cases.filter(({ product }) => product === 'EURGBP')
  if (!one) throw new Error('no case')
  const { product, ground, deal } = stage(one)
  const blind = () => undefined
  expect(orderRequirement(product, ground, { ...deal, lots: '1' }, blind)).toBeNull()
  expect(maxLots(product, ground, deal, blind)).toBe('0')
})

/** A random generator with a fixed seed. */
function dice(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

test('the largest volume is that of a search through all of them, whatever the terms', {
  timeout: 60_000,
}, () => {
  const roll = dice(20_261_121)
  const one = <T>(...list: T[]) => list[roll(list.length)] as T
  const euro = { bid: '1.10000', ask: '1.10010' }
  let inside = 0
  for (let round = 0; round < 1500; round++) {
    const product = sampleProduct({
      ...{ lotMin: '0.1', lotStep: '0.1', lotMax: '6' },
      hedgedRatio: one('0', '0.1', '0.5', '0.9', '1'),
      tiers: one(
        [],
        [{ upTo: '2', leverage: 50 }, { leverage: 10 }],
        [{ upTo: '1', leverage: 200 }, { upTo: '4', leverage: 20 }, { leverage: 5 }],
      ),
      commissionPerLot: one('0', '0', '7', '400'),
    })
    const position = (positionId: number, side: 'buy' | 'sell', tenths: number) =>
      ({
        ...{ positionId, productId: 1, side, lots: String(tenths / 10), openPrice: '1.1' },
        ...{ price: '1.1', leverage: 100, profit: '0' },
        margin: String(one(20, 100, 500, 2_000) * tenths),
      }) as Wire['Position']
    const netting = one(false, false, true)
    const positions = [position(1, 'buy', 1 + roll(40))]
    if (!netting && roll(2)) positions.push(position(2, 'sell', 1 + roll(40)))
    const deal = {
      side: one('buy', 'sell', 'sell'),
      leverage: one(20, 100, 500),
      price: '1.1',
    } as const
    const groundOf = (netValue: string) => {
      const statistics = { netValue, prepaidAmount: '0', balance: '1000000' }
      const now = exposureOf(product, positions, statistics)
      return { now, held: netting ? positions[0] : undefined }
    }
    const steps = Array.from({ length: 60 }, (_, n) => ((n + 1) / 10).toFixed(1))
    const demand = (lots: string, net: string) =>
      orderRequirement(product, groundOf(net), { ...deal, lots }, () => euro)
    // Just enough, or just too little, for some volume.
    const { margin, commission } = demand(one(...steps), '0') ?? { margin: '0', commission: '0' }
    const net = (Number(margin) + Number(commission) + one(-1, 0.01, 3)).toFixed(6)
    const carried = steps.filter((lots) => demand(lots, net)?.lacks === null)
    const found = maxLots(product, groundOf(net), deal, () => euro)
    expect(Number(found), `round ${round}`).toBe(Number(carried.at(-1) ?? 0))
    if (carried.length > 0 && carried[0] !== steps[0]) inside += 1
  }
  expect(inside).toBeGreaterThan(50)
})
