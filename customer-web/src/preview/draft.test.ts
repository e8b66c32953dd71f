import { expect, test } from 'vitest'
import { answerOf, type Draft, pathOf } from './draft'

const draft: Draft = {
  id: 7,
  revision: 2,
  kind: 'notice',
  key: '',
  locale: 'en',
  title: 'Pause on Sunday',
  summary: 'We rest.',
  body: '<p>We rest.</p>',
  image: '',
  alt: '',
  category: 'maintenance',
  placement: 'strip',
  severity: 'warning',
  link: '',
  source: '',
  frequency: 'once',
  sticky: false,
  mustAck: true,
  time: 1_700_000_000_000,
}

const ask = (change: Partial<Draft>, path: string) =>
  answerOf({ ...draft, ...change }, new URL(path, 'https://desk.example'))

test('a draft is the answer to the calls about its kind', () => {
  expect(ask({}, '/client/siteMail/findSiteMailPage?size=20')).toMatchObject({
    list: [{ id: 7, title: 'Pause on Sunday', placement: 'strip', severity: 'warning' }],
    total: 1,
  })
  expect(ask({}, '/client/siteMail/findSiteMailDetail?id=7')).toMatchObject({ body: draft.body })
  expect(ask({ kind: 'banner' }, '/client/api/findByBannerList')).toMatchObject([
    { title: 'Pause on Sunday', body: 'We rest.' },
  ])
  expect(ask({ kind: 'popup' }, '/client/popup/findPopupMsgList?guestId=x')).toMatchObject([
    { mustAck: true, dismissible: false, revision: 2 },
  ])
  expect(
    ask({ kind: 'news', source: 'Wire' }, '/client/currencyNews/findCurrencyNewsDetail?id=7'),
  ).toMatchObject({ source: 'Wire' })
  expect(ask({ kind: 'faq' }, '/client/api/findQuestionInfoList')).toMatchObject({
    categories: ['maintenance'],
    list: [{ title: 'Pause on Sunday' }],
  })
  expect(ask({ kind: 'page', key: 'terms' }, '/client/content/findPage?key=terms')).toMatchObject({
    key: 'terms',
    revision: 2,
  })
})

test('other calls are not answered, and an empty draft is no item', () => {
  expect(ask({}, '/client/api/findByBannerList')).toBeUndefined()
  expect(ask({}, '/client/api/findProductList')).toBeUndefined()
  expect(ask({ kind: 'page', key: 'terms' }, '/client/content/findPage?key=risk')).toBeUndefined()
  const empty = { title: '', summary: '', body: '' }
  expect(ask({ kind: 'banner', ...empty }, '/client/api/findByBannerList')).toEqual([])
})

test('a picture comes with its description, and none without', () => {
  const path = '/client/api/findByBannerList'
  expect(ask({ kind: 'banner', image: '/a.jpg', alt: 'A clock' }, path)).toMatchObject([
    { image: '/a.jpg', alt: 'A clock' },
  ])
  expect(ask({ kind: 'banner', alt: 'A clock' }, path)).not.toMatchObject([{ alt: 'A clock' }])
})

test('each kind has its screen', () => {
  const at = (change: Partial<Draft>, opened = false) => pathOf({ ...draft, ...change }, opened)
  expect(at({})).toBe('/home/index')
  expect(at({ placement: 'list' })).toBe('/notice')
  expect(at({}, true)).toBe('/notice?id=7')
  expect(at({ kind: 'news' })).toBe('/home/index')
  expect(at({ kind: 'news' }, true)).toBe('/news?id=7')
  expect(at({ kind: 'faq' }, true)).toBe('/problem')
  expect(at({ kind: 'page', key: 'about' })).toBe('/aboutUs')
  expect(at({ kind: 'page', key: 'risk' })).toBe('/relevant?page=risk')
  expect(at({ kind: 'popup' })).toBe('/home/index')
})
