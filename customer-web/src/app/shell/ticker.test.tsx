import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { clearSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { emptyPage, sampleMarket } from '@/testing/market-sample'
import { renderApp, setScreen } from '@/testing/render-app'

const notice = {
  id: 11,
  category: 'general',
  placement: 'ticker',
  severity: 'info',
  title: 'Banks rest on Friday',
  summary: '',
  time: 1,
  sticky: false,
  link: '',
  locale: 'en',
}

const shows = (...list: object[]) =>
  fakeServer({
    ...sampleMarket(),
    'siteMail/findSiteMailPage': () => answer({ ...emptyPage, list, total: list.length }),
  })

beforeEach(() => clearSession())

describe("the header's notice", () => {
  test('is the newest that stands in the app bar, on every page of a desktop', async () => {
    setScreen('desktop')
    const asked = shows(
      { ...notice, id: 10, placement: 'strip', title: 'On the home page' },
      notice,
    )
    await renderApp('/quotes')
    const link = await screen.findByRole('link', { name: /Banks rest on Friday/ })
    expect(link.getAttribute('href')).toBe('/notice?id=11')
    expect(screen.queryByText('On the home page')).toBeNull()
    expect(asked.find(({ path }) => path === 'content/insertSeen')?.body).toMatchObject({
      ids: [11],
    })
  })

  test('goes once it was read, bar what is sticky', async () => {
    setScreen('desktop')
    shows(
      { ...notice, read: true },
      { ...notice, id: 12, read: true, sticky: true, title: 'Stays' },
    )
    await renderApp('/quotes')
    await screen.findByRole('link', { name: /Stays/ })
    expect(screen.queryByText('Banks rest on Friday')).toBeNull()
  })

  test('is not in a phone, where the home page has it', async () => {
    setScreen('phone')
    shows(notice)
    await renderApp('/quotes')
    await screen.findByRole('heading', { name: 'Quotes' })
    expect(screen.queryByText('Banks rest on Friday')).toBeNull()
  })
})
