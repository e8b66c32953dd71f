import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { clearSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { renderApp, setScreen } from '@/testing/render-app'
import { type AppRoute, routes } from './routes'

type Loaded = Awaited<ReturnType<AppRoute['load']>>

beforeEach(() => {
  clearSession()
  setScreen('phone')
  fakeServer({ 'common/platformRunningStatus': () => answer(1) })
})

/** Replaces the module behind the next visit to a route. */
function behind(path: string, load: () => Promise<Loaded>) {
  const route = routes.find((one) => one.path === path)
  if (!route) throw new Error(`no route ${path}`)
  return vi.spyOn(route, 'load').mockImplementationOnce(load)
}

const saying = (text: string) => async () => ({ default: () => <h1>{text}</h1> })

/** A module that resolves when the test says so. */
function held(text: string) {
  let arrive = () => {}
  const here = new Promise<void>((done) => {
    arrive = done
  })
  return { load: () => here.then(saying(text)), arrive: () => act(async () => arrive()) }
}

async function start() {
  behind('/home/index', saying('at home'))
  const { history } = await renderApp('/home/index')
  await screen.findByRole('heading', { name: 'at home' })
  return (path: string) => act(async () => history.push(path))
}

test('the screen before stays until the next one is there', async () => {
  const go = await start()
  const quotes = held('the quotes')
  behind('/quotes', quotes.load)
  await go('/quotes')
  await screen.findByRole('status', { name: 'Loading' })
  expect(screen.getByRole('heading', { name: 'at home' })).toBeTruthy()
  await quotes.arrive()
  await screen.findByRole('heading', { name: 'the quotes' })
  expect(screen.queryByRole('heading', { name: 'at home' })).toBeNull()
  await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull())
})

test('what was asked for last is shown, though it comes first', async () => {
  const go = await start()
  const quotes = held('the quotes')
  behind('/quotes', quotes.load)
  behind('/lang', saying('the languages'))
  await go('/quotes')
  await go('/lang')
  await screen.findByRole('heading', { name: 'the languages' })
  await quotes.arrive()
  expect(screen.getByRole('heading', { name: 'the languages' })).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'the quotes' })).toBeNull()
})

test('a screen that cannot be loaded leaves the rest standing, and is asked for again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const go = await start()
  behind('/quotes', () => Promise.reject(new Error('no such file')))
  await go('/quotes')
  await screen.findByRole('alert')
  expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy()
  behind('/quotes', saying('the quotes'))
  await go('/quotes?tab=crypto')
  await screen.findByRole('heading', { name: 'the quotes' })
  expect(screen.queryByRole('alert')).toBeNull()
})

let broken = false

function BreakingQuotes() {
  if (broken) throw new Error('broken')
  return <h1>the quotes</h1>
}

test('a screen that breaks leaves the rest standing, until the next address', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const go = await start()
  broken = true
  behind('/quotes', async () => ({ default: BreakingQuotes }))
  await go('/quotes')
  await screen.findByRole('alert')
  expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy()
  broken = false
  await go('/quotes?tab=crypto')
  await screen.findByRole('heading', { name: 'the quotes' })
  expect(screen.queryByRole('alert')).toBeNull()
})
