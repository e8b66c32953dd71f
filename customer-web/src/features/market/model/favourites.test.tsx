import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { clearSession, startSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { sampleProducts } from '@/testing/market-sample'
import { renderPart } from '@/testing/render-app'
import { useToasts } from '@/ui/toast/toast-store'
import { useFavourites } from './favourites'

const user = { userId: '7', userName: 'al•••', type: 1, authStatus: 3 }

/** A component that shows and changes the favourites. */
function Sample() {
  const { ids, ready, error, toggle, move, remove } = useFavourites()
  const [undo, setUndo] = useState<(() => void) | null>(null)
  return (
    <>
      <output>{error ? 'failed' : ready ? ids.join() || 'none' : 'waiting'}</output>
      {[1, 2, 3].map((id) => (
        <button key={id} type="button" onClick={() => toggle(id)}>
          {`toggle ${id}`}
        </button>
      ))}
      <button type="button" onClick={() => move(1, 1)}>
        move
      </button>
      <button type="button" onClick={() => setUndo(() => remove(1))}>
        remove
      </button>
      <button type="button" onClick={() => undo?.()}>
        undo
      </button>
    </>
  )
}

const shown = () => screen.getByRole('status').textContent
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

beforeEach(() => {
  clearSession()
  useToasts.setState({ shown: [] })
})

describe('a guest', () => {
  test('has the suggested products until the first change', async () => {
    storage.remove('favourites')
    fakeServer({ 'api/findProductList': () => answer(sampleProducts) })
    await renderPart(<Sample />)
    await waitFor(() => expect(shown()).toBe('301,1,101,201'))
    await press('toggle 1')
    await waitFor(() => expect(storage.read('favourites')).toEqual(['301', '101', '201']))
  })

  test('who removed all has none', async () => {
    storage.write('favourites', [])
    fakeServer({ 'api/findProductList': () => answer(sampleProducts) })
    await renderPart(<Sample />)
    expect(shown()).toBe('none')
  })

  test('keeps favourites in the browser', async () => {
    storage.write('favourites', [])
    const asked = fakeServer({})
    await renderPart(<Sample />)
    expect(shown()).toBe('none')
    await press('toggle 2')
    await press('toggle 1')
    await waitFor(() => expect(shown()).toBe('2,1'))
    await press('toggle 2')
    await waitFor(() => expect(storage.read('favourites')).toEqual(['1']))
    expect(asked).toEqual([])
  })

  test('sees at once what was kept, without what is no id', async () => {
    fakeServer({})
    storage.write('favourites', ['3', 'x', '-1', '3', '1'])
    await renderPart(<Sample />)
    expect(shown()).toBe('3,1')
  })

  test('gets back what was removed, where it was', async () => {
    fakeServer({})
    storage.write('favourites', ['1', '2'])
    await renderPart(<Sample />)
    await press('remove')
    await waitFor(() => expect(storage.read('favourites')).toEqual(['2']))
    await press('undo')
    await waitFor(() => expect(shown()).toBe('1,2'))
  })
})

describe('a trader', () => {
  test('has those of the account, joined once by what was chosen as a guest', async () => {
    let kept = [3]
    const asked = fakeServer({
      'user/findFavouriteList': () => answer(kept),
      'user/updateFavouriteList': ({ body }) => {
        kept = (body as { productIds: number[] }).productIds
        return answer(kept)
      },
    })
    storage.write('favourites', ['1', '3'])
    startSession('abc', user)
    const { unmount } = await renderPart(<Sample />)
    await waitFor(() => expect(shown()).toBe('3,1'))
    expect(storage.read('favourites')).toBeNull()
    expect(storage.read('selfList')).toEqual(['3', '1'])
    unmount()

    await renderPart(<Sample />)
    await waitFor(() => expect(asked.at(-1)?.path).toBe('user/findFavouriteList'))
    expect(asked.filter(({ path }) => path === 'user/updateFavouriteList')).toHaveLength(1)
  })

  test('sees a change at once; every change reaches the server, in order', async () => {
    const saved: unknown[] = []
    fakeServer({
      'user/findFavouriteList': () => answer([1]),
      'user/updateFavouriteList': ({ body }) => {
        saved.push(body)
        return answer((body as { productIds: number[] }).productIds)
      },
    })
    startSession('abc', user)
    await renderPart(<Sample />)
    await waitFor(() => expect(shown()).toBe('1'))
    act(() => {
      screen.getByRole('button', { name: 'toggle 2' }).click()
      screen.getByRole('button', { name: 'toggle 3' }).click()
      screen.getByRole('button', { name: 'move' }).click()
    })
    await waitFor(() => expect(shown()).toBe('2,1,3'))
    await waitFor(() => expect(saved).toHaveLength(3))
    expect(saved.at(-1)).toEqual({ productIds: [2, 1, 3] })
  })

  test('gets a refused change taken back, with the reason', async () => {
    fakeServer({
      'user/findFavouriteList': () => answer([1]),
      'user/updateFavouriteList': () => refusal('busy'),
    })
    startSession('abc', user)
    await renderPart(<Sample />)
    await waitFor(() => expect(shown()).toBe('1'))
    await press('toggle 2')
    await waitFor(() => expect(useToasts.getState().shown[0]?.kind).toBe('error'))
    expect(shown()).toBe('1')
  })

  test('is told when they cannot be fetched', async () => {
    fakeServer({ 'user/findFavouriteList': () => refusal('internal', { httpStatus: 500 }) })
    startSession('abc', user)
    await renderPart(<Sample />)
    await waitFor(() => expect(shown()).toBe('failed'))
  })

  test('has the suggested products until the account has its own, and none after removing the last', async () => {
    let kept: number[] = []
    fakeServer({
      'user/findFavouriteList': () => answer(kept),
      'user/updateFavouriteList': ({ body }) => {
        kept = (body as { productIds: number[] }).productIds
        return answer(kept)
      },
      'api/findProductList': () => answer(sampleProducts.slice(0, 1)),
    })
    startSession('abc', user)
    const first = await renderPart(<Sample />)
    await waitFor(() => expect(shown()).toBe('1'))
    await press('toggle 1')
    await waitFor(() => expect(storage.read('emptiedFavourites')).toBe('7'))
    first.unmount()
    await renderPart(<Sample />)
    await waitFor(() => expect(shown()).toBe('none'))
  })

  test('leaves nothing behind for the next person', async () => {
    fakeServer({
      'user/findFavouriteList': () => answer([1, 2]),
      'api/findProductList': () => answer(sampleProducts),
    })
    startSession('abc', user)
    await renderPart(<Sample />)
    await waitFor(() => expect(shown()).toBe('1,2'))
    act(clearSession)
    expect(storage.read('selfList')).toBeNull()
    await waitFor(() => expect(shown()).toBe('301,1,101,201'))
  })
})
