import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { useChat } from '@/features/kefu/model/chat'
import { readOutbox } from '@/features/kefu/model/outbox'
import { emptyConversation } from '@/features/kefu/model/thread'
import type { ChatEvent } from '@/live/live'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { renderApp, setScreen } from '@/testing/render-app'
import { useToasts } from '@/ui/toast/toast-store'
import { useNavBadges } from '../nav/nav-badges'

type Listener = (news: ChatEvent | null) => void
const listeners = vi.hoisted(() => new Set<Listener>())

vi.mock('@/live/live', async (original) => ({
  ...(await original<typeof import('@/live/live')>()),
  onChat: (listener: Listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}))

const LIST = '/kefu/kefuApi/findMessageList'
const EARLIER = '/kefu/kefuApi/findEarlierList'
const INSERT = '/kefu/kefuApi/insertMessage'
const READ = '/kefu/kefuApi/updateUserRead'
const IMAGE = '/kefu/kefuApi/findImage'
const TRANSCRIPT = '/kefu/kefuApi/sendTranscript'
const CONFIG = '/kefu/kefuApi/findConfig'

const config: Wire['KefuConfig'] = {
  type: 2,
  open: true,
  hours: [],
  holidays: [],
  maxImageBytes: 10_000_000,
  questions: ['kefu.question.deposit', 'kefu.question.unknown'],
  targetSeconds: 600,
}
const calm = { state: 'open', agentName: 'Anna', agentGot: 0, agentRead: 0, readUpTo: 0 } as const
let list: Wire['ChatMessage'][] = []
let thread: Partial<Wire['ChatThread']> = {}

function message(id: number, more: Partial<Wire['ChatMessage']> = {}): Wire['ChatMessage'] {
  return {
    id,
    convId: 1,
    clientId: `agent-${id}`,
    senderType: 'agent',
    senderName: 'Anna',
    type: 'text',
    body: `message ${id}`,
    createdAt: Date.now(),
    ...more,
  }
}

/** Accepts a message as the server does. */
function take(body: unknown): Wire['ChatMessage'] {
  const { messageId, text = '' } = body as Wire['InsertMessage']
  const known = list.find(({ clientId }) => clientId === messageId)
  if (known) return known
  const made = message(100 + list.length, {
    clientId: messageId,
    senderType: 'customer',
    body: text,
  })
  list = [...list, made]
  return made
}

const answers: Parameters<typeof fakeServer>[0] = {
  'common/platformRunningStatus': () => answer(1),
  [CONFIG]: () => answer(config),
  [LIST]: ({ query }) => {
    const after = Number(query.get('after') ?? 0)
    return answer({ more: false, unread: 0, ...thread, list: list.filter(({ id }) => id > after) })
  },
  [INSERT]: ({ body }) => answer(take(body)),
  [READ]: () => answer({ unread: 0 }),
}

function tell(news: Partial<ChatEvent> | null): void {
  act(() => {
    for (const listener of listeners)
      listener(news && { event: 'chat', rateable: false, ...calm, ...news })
  })
}

const jpeg = () => ({ file: new Response('jpeg', { headers: { 'content-type': 'image/jpeg' } }) })

const log = () => screen.findByRole('log', { name: 'Conversation' })
const field = () => screen.findByLabelText('Message')

beforeEach(() => {
  list = []
  thread = {}
  listeners.clear()
  clearSession()
  setScreen('desktop')
  useChat.setState({ person: '' })
  useNavBadges.setState({}, true)
})

describe('a visitor', () => {
  test('sees how long it takes, and asks by a press', async () => {
    const asked = fakeServer(answers)
    await renderApp('/kefu')
    await screen.findByText(/We usually reply within/)
    const questions = await screen.findByRole('list', { name: 'Common questions' })
    expect(within(questions).getAllByRole('listitem')).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: 'When does my deposit arrive?' }))
    await within(await log()).findByText('Sent')
    expect(document.activeElement).toBe(await field())
    const sent = asked.find(({ path }) => path === INSERT)
    expect(sent?.body).toMatchObject({
      text: 'When does my deposit arrive?',
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    })
    expect(sent?.visitor).toBe(localStorage.getItem('guestId'))
    expect(sent?.token).toBe('')
    expect(screen.queryByRole('list', { name: 'Common questions' })).toBeNull()
  })

  test('attaches a picture only once the server has a message of theirs', async () => {
    fakeServer(answers)
    await renderApp('/kefu')
    const choose = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => {})
    const attach = await screen.findByRole('button', { name: 'Attach a picture or PDF' })
    expect(screen.queryByText(/Write a message first/)).toBeNull()
    await userEvent.click(attach)
    screen.getByText('Write a message first. Then you can attach a picture or a PDF.')
    expect(choose).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(await field())
    await userEvent.type(await field(), 'Hello{Enter}')
    await within(await log()).findByText('Sent')
    expect(screen.queryByText(/Write a message first/)).toBeNull()
    await userEvent.click(attach)
    expect(choose).toHaveBeenCalledOnce()
    choose.mockRestore()
  })

  test('may not attach a picture to what an agent alone has written', async () => {
    list = [message(1)]
    fakeServer(answers)
    await renderApp('/kefu')
    await within(await log()).findByText('message 1')
    await userEvent.click(screen.getByRole('button', { name: 'Attach a picture or PDF' }))
    screen.getByText(/Write a message first/)
  })

  test('reads when agents work, before anything is written', async () => {
    const opens = Date.now() + 3_600_000
    fakeServer({
      ...answers,
      [CONFIG]: () =>
        answer({
          ...config,
          open: false,
          changesAt: opens,
          hours: [1, 2, 3, 4, 5, 6, 0].map((weekday) => ({
            weekday,
            opens: 540,
            closes: 1080,
            zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          })),
          holidays: [{ day: '2026-12-25', spans: [] }],
        }),
    })
    await renderApp('/kefu')
    await screen.findByText(
      /No agents are online right now\. We reply \D?09:00–18:00\D? \(your time\)\./,
    )
    screen.getByText(/Holidays: .*(25 Dec|Dec 25)\D? closed\./)
    await screen.findByText(/Agents are back .*Leave a message and they’ll reply then\./)
  })

  test('reads in an answered conversation that the desk has closed, and no hours while it is open', async () => {
    thread = { ...calm, state: 'open', agentName: 'Kim' }
    fakeServer({ ...answers, [CONFIG]: () => answer({ ...config, open: false }) })
    await renderApp('/kefu')
    await screen.findByText(/Kim/)
    await screen.findByText(/No agents are online right now\./)
    cleanup()
    fakeServer(answers)
    await renderApp('/kefu')
    await screen.findByText(/Kim/)
    expect(screen.queryByText(/No agents are online right now\./)).toBeNull()
  })

  test('reads no time within which agents reply when they name none', async () => {
    const { targetSeconds: _, ...without } = config
    fakeServer({ ...answers, [CONFIG]: () => answer(without) })
    await renderApp('/kefu')
    await log()
    expect(screen.queryByText(/We usually reply within/)).toBeNull()
  })

  test('reads the place in the queue', async () => {
    thread = { ...calm, state: 'queued', position: 3 }
    fakeServer(answers)
    await renderApp('/kefu')
    await screen.findByText(/You’re number \D?3\D? in the queue\.$/)
    expect(screen.queryByText(/usually takes/)).toBeNull()
    screen.getByText(/We usually reply within \D?10\D? minutes\./)
  })

  test.each([
    [200, /usually takes about \D?4\D? minutes\.$/],
    [40, /usually takes about \D?1\D? minute\.$/],
  ])('reads how long %i seconds in the queue usually are', async (estimateSeconds, words) => {
    thread = { ...calm, state: 'queued', position: 2, estimateSeconds }
    fakeServer(answers)
    await renderApp('/kefu')
    await screen.findByText(words)
    expect(screen.queryByText(/We usually reply within/)).toBeNull()
  })
})

/** Opens the menu of a chat that has loaded. */
async function openMenu() {
  await screen.findByText('You’re chatting with Anna.')
  await waitFor(async () => {
    if (!screen.queryByRole('menu'))
      await userEvent.click(screen.getByRole('button', { name: 'Chat options' }))
    screen.getByRole('menu')
  })
}

describe('a trader', () => {
  beforeEach(() => {
    startSession('tok', { userId: '7', userName: 'al•••', type: 1, authStatus: 3 })
    thread = { ...calm, convId: 1 }
    useToasts.setState({ shown: [] })
  })

  test('names no visitor', async () => {
    const asked = fakeServer(answers)
    await renderApp('/kefu')
    await screen.findByText('You’re chatting with Anna.')
    const calls = asked.filter(({ path }) => path.startsWith('/kefu/') && path !== CONFIG)
    expect(calls.length).toBeGreaterThan(0)
    for (const { visitor, token } of calls) expect([visitor, token]).toEqual([null, 'tok'])
  })

  test('sends by Enter, begins a line by Shift+Enter, and sees how far it comes', async () => {
    fakeServer(answers)
    await renderApp('/kefu')
    await userEvent.type(await field(), 'one{Shift>}{Enter}{/Shift}two{Enter}')
    const own = await within(await log()).findByText(/one\s+two/)
    expect(own.textContent).toBe('one\ntwo')
    await within(await log()).findByText('Sent')
    const [sent] = list
    tell({ agentGot: sent?.id ?? 0 })
    await within(await log()).findByText('Delivered')
    tell({ agentGot: sent?.id ?? 0, agentRead: sent?.id ?? 0 })
    await within(await log()).findByText('Read')
  })

  test('hears an agent at once, fetches what was missed, and says that it was read', async () => {
    const asked = fakeServer(answers)
    await renderApp('/kefu')
    await screen.findByText('You’re chatting with Anna.')
    list = [message(5), message(6)]
    tell({ message: message(6) })
    const thread = within(await log())
    await thread.findByText('message 6')
    await thread.findByText('message 5')
    expect(thread.getAllByText(/^message/).map((one) => one.textContent)).toEqual([
      'message 5',
      'message 6',
    ])
    await waitFor(() =>
      expect(asked.filter(({ path }) => path === READ).map(({ body }) => body)).toContainEqual({
        lastId: 6,
        read: true,
      }),
    )
  })

  test('that does not look says only that it has come', async () => {
    const asked = fakeServer(answers)
    await renderApp('/kefu')
    await screen.findByText('You’re chatting with Anna.')
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    list = [message(6)]
    tell({ message: message(6) })
    await waitFor(() =>
      expect(asked.filter(({ path }) => path === READ).map(({ body }) => body)).toEqual([
        { lastId: 6, read: false },
      ]),
    )
  })

  test('fetches page after page', async () => {
    const asked = fakeServer({
      ...answers,
      [LIST]: ({ query }) => {
        const after = Number(query.get('after') ?? 0)
        return answer({ ...thread, list: [message(after + 1)], more: after < 2, unread: 0 })
      },
    })
    await renderApp('/kefu')
    await within(await log()).findByText('message 3')
    expect(
      asked.filter(({ path }) => path === LIST).map(({ query }) => query.get('after')),
    ).toEqual([null, '1', '2'])
  })

  test('keeps what got no answer, and sends it once as the same message', async () => {
    let online = false
    const asked = fakeServer({
      ...answers,
      [INSERT]: ({ body }) => {
        const made = take(body)
        return online ? answer(made) : refusal('internal', { httpStatus: 502 })
      },
    })
    await renderApp('/kefu')
    await screen.findByText('You’re chatting with Anna.')
    await userEvent.type(await field(), 'first{Enter}')
    await userEvent.type(await field(), 'second{Enter}')
    expect(readOutbox('7').map(({ text }) => text)).toEqual(['first', 'second'])
    online = true
    act(() => void window.dispatchEvent(new Event('online')))
    await waitFor(() => expect(readOutbox('7')).toEqual([]))
    expect(list.map(({ body }) => body)).toEqual(['first', 'second'])
    expect(within(await log()).getAllByText('first')).toHaveLength(1)
    const ids = asked
      .filter(({ path }) => path === INSERT)
      .map(({ body }) => (body as Wire['InsertMessage']).messageId)
    expect(new Set(ids).size).toBe(2)
    expect(ids.length).toBeGreaterThan(2)
  })

  test('reads a refusal, tries again as the same message, or discards it', async () => {
    let refused = true
    const asked = fakeServer({
      ...answers,
      [INSERT]: ({ body }) => (refused ? refusal('chat.too_often') : answer(take(body))),
    })
    await renderApp('/kefu')
    await screen.findByText('You’re chatting with Anna.')
    await userEvent.type(await field(), 'much{Enter}')
    await within(await log()).findByText(/You’ve sent too much in a short time/)
    refused = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await within(await log()).findByText('Sent')
    const ids = asked
      .filter(({ path }) => path === INSERT)
      .map(({ body }) => (body as Wire['InsertMessage']).messageId)
    expect(ids).toEqual([ids[0], ids[0]])
    refused = true
    await userEvent.type(await field(), 'again{Enter}')
    await userEvent.click(await screen.findByRole('button', { name: 'Discard' }))
    expect(within(await log()).queryByText('again')).toBeNull()
    expect(readOutbox('7')).toEqual([])
  })

  test('sees that an agent types until they stop, or say it', async () => {
    fakeServer(answers)
    await renderApp('/kefu')
    await screen.findByText('You’re chatting with Anna.')
    // The conversation may begin to listen a moment after it is shown.
    await waitFor(() => {
      tell({ typing: true })
      screen.getByText('Anna is typing…')
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    tell({ typing: true })
    screen.getByText('Anna is typing…')
    act(() => void vi.advanceTimersByTime(6_000))
    expect(screen.queryByText('Anna is typing…')).toBeNull()
    tell({ typing: true })
    screen.getByText('Anna is typing…')
    tell({ message: message(9) })
    expect(screen.queryByText('Anna is typing…')).toBeNull()
    vi.useRealTimers()
  })

  test('reads what the conversation tells of itself, and that a secret was hidden', async () => {
    const event = { type: 'event', senderType: 'system' } as const
    list = [
      message(1, { ...event, body: 'chat.claim' }),
      message(2, { ...event, body: 'chat.nobody_knows' }),
      message(3, { senderType: 'customer', body: 'my pin is ••••••', masked: true }),
      message(4, {
        type: 'card',
        senderType: 'customer',
        body: '',
        cardKind: 'withdrawal',
        cardId: 12,
      }),
    ]
    fakeServer(answers)
    await renderApp('/kefu')
    const thread = within(await log())
    await thread.findByText(/Anna has joined the conversation\./)
    expect(thread.queryByText(/nobody_knows/)).toBeNull()
    expect(thread.getByText(/We hid something that looked confidential/)).toBeTruthy()
    expect(thread.getByRole('link', { name: /WD-12/ }).getAttribute('href')).toBe('/withdraw?id=12')
  })

  test('types no more once the message is said, and says that only where it was told', async () => {
    const typing = '/kefu/kefuApi/updateTyping'
    list = [message(1)]
    thread = { ...thread, convId: 1 }
    const asked = fakeServer({ ...answers, [typing]: () => answer(1) })
    await renderApp('/kefu')
    await within(await log()).findByText('message 1')
    await userEvent.type(await field(), 'Hello{Enter}')
    await waitFor(() =>
      expect(asked.filter(({ path }) => path === typing).map(({ body }) => body)).toEqual([
        { typing: true },
        { typing: false },
      ]),
    )
    await userEvent.click(await field())
    await userEvent.paste(' ')
    await userEvent.keyboard('{Enter}')
    expect(asked.filter(({ path }) => path === typing)).toHaveLength(2)
  })

  test('reads what was said in conversations that are closed, back to the first', async () => {
    thread = { ...thread, convId: 3, earlier: true }
    list = [message(30, { convId: 3 })]
    const may = Date.UTC(2026, 4, 5, 12)
    const older = [
      message(1, { body: 'the very first', createdAt: may }),
      message(2, { createdAt: may, senderType: 'customer' }),
      message(11, { convId: 2, createdAt: Date.UTC(2026, 4, 20, 12) }),
    ]
    let broken = true
    const asked = fakeServer({
      ...answers,
      [EARLIER]: ({ query }) => {
        if (broken) return refusal('internal', { httpStatus: 502 })
        return query.has('before')
          ? answer({ list: older.slice(0, 2), more: false })
          : answer({ list: older.slice(2), more: true })
      },
    })
    await renderApp('/kefu')
    await within(await log()).findByText('message 30')
    expect(within(await log()).queryByText(/Conversation on/)).toBeNull()
    const earlier = within(screen.getByRole('region', { name: 'Earlier conversations' }))
    await userEvent.click(earlier.getByRole('button', { name: 'Show earlier messages' }))
    broken = false
    await userEvent.click(await earlier.findByRole('button', { name: /again/i }))
    await earlier.findByText('message 11')
    expect(within(await log()).getByText(/Conversation on/)).toBeTruthy()
    await userEvent.click(earlier.getByRole('button', { name: 'Show earlier messages' }))
    await earlier.findByText('the very first')
    expect(earlier.queryByRole('button')).toBeNull()
    expect(earlier.getAllByText(/Conversation on \D*(May 5|5 May|May 20|20 May)/)).toHaveLength(2)
    expect(earlier.queryByText('Sent')).toBeNull()
    expect(
      asked.filter(({ path }) => path === EARLIER).map(({ query }) => query.get('before')),
    ).toEqual([null, null, '11'])
  })

  test('follows to the conversation that goes on when the known one is closed', async () => {
    thread = { ...thread, convId: 3 }
    list = [message(30, { convId: 3 })]
    fakeServer({
      ...answers,
      [EARLIER]: () => answer({ list: [message(30, { convId: 3 })], more: false }),
    })
    await renderApp('/kefu')
    await within(await log()).findByText('message 30')
    // The new conversation started earlier, on a device that has just logged in.
    thread = { ...thread, convId: 2, earlier: true }
    list = [message(20, { convId: 2 })]
    tell({ message: message(21, { convId: 2 }) })
    await within(await log()).findByText('message 20')
    expect(within(await log()).queryByText('message 30')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Show earlier messages' }))
    await within(screen.getByRole('region', { name: 'Earlier conversations' })).findByText(
      'message 30',
    )
  })

  test('shows what is closed meanwhile once, as an earlier conversation', async () => {
    thread = { ...thread, convId: 3 }
    list = [message(30, { convId: 3 })]
    fakeServer({ ...answers, [EARLIER]: () => answer({ list: [message(30)], more: false }) })
    await renderApp('/kefu')
    await within(await log()).findByText('message 30')
    thread = { earlier: true }
    list = []
    tell(null)
    await userEvent.click(await screen.findByRole('button', { name: 'Show earlier messages' }))
    expect(await screen.findAllByText('message 30')).toHaveLength(1)
  })

  test('has no earlier conversations before one is closed', async () => {
    thread = { ...thread, convId: 1 }
    list = [message(1)]
    fakeServer(answers)
    await renderApp('/kefu')
    await within(await log()).findByText('message 1')
    expect(screen.queryByRole('region', { name: 'Earlier conversations' })).toBeNull()
  })

  test('rates what an agent resolved, by keyboard, once', async () => {
    thread = { ...thread, state: 'resolved', rateable: true }
    list = [message(1)]
    const asked = fakeServer(answers)
    await renderApp('/kefu')
    const send = await screen.findByRole('button', { name: 'Send rating' })
    expect(send.hasAttribute('disabled')).toBe(true)
    await userEvent.click(screen.getByRole('radio', { name: 'Good' }))
    await userEvent.type(screen.getByLabelText(/Comments/), 'quick')
    await userEvent.click(send)
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Send rating' })).toBeNull())
    expect(asked.find(({ path }) => path.endsWith('insertRating'))?.body).toEqual({
      rating: 4,
      comment: 'quick',
    })
  })

  test('skips the rating', async () => {
    thread = { ...thread, state: 'resolved', rateable: true }
    const asked = fakeServer(answers)
    await renderApp('/kefu')
    await userEvent.click(await screen.findByRole('button', { name: 'Skip' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Skip' })).toBeNull())
    expect(asked.find(({ path }) => path.endsWith('insertRating'))?.body).toEqual({ rating: 0 })
  })

  test('has the conversation mailed to the own address', async () => {
    thread = { ...thread, convId: 7 }
    list = [message(1)]
    const asked = fakeServer({ ...answers, [TRANSCRIPT]: () => answer(null) })
    await renderApp('/kefu')
    await openMenu()
    await userEvent.click(
      await screen.findByRole('menuitem', { name: 'Email me this conversation' }),
    )
    await screen.findByText('We’re sending the conversation to your email address.')
    expect(asked.find(({ path }) => path === TRANSCRIPT)?.body).toEqual({ convId: 7 })
  })

  test('keeps the menu open while a newer conversation is fetched', async () => {
    thread = { ...thread, convId: 7 }
    list = [message(1)]
    fakeServer(answers)
    await renderApp('/kefu')
    await openMenu()
    act(() => useChat.setState({ conversation: emptyConversation }))
    expect(screen.getByRole('menuitem', { name: 'Email me this conversation' })).toBeTruthy()
    act(() => useChat.setState({ person: 'someone else' }))
    expect(screen.queryByRole('menuitem')).toBeNull()
  })

  test('is told why the conversation can’t be mailed', async () => {
    thread = { ...thread, convId: 7 }
    fakeServer({ ...answers, [TRANSCRIPT]: () => refusal('contact.no_email') })
    await renderApp('/kefu')
    await openMenu()
    await userEvent.click(
      await screen.findByRole('menuitem', { name: 'Email me this conversation' }),
    )
    await screen.findByText(/Your account has no email address/)
    expect(screen.queryByText(/We’re sending/)).toBeNull()
  })

  test.each([
    [2, 'PDF, 2 pages'],
    [1, 'PDF, 1 page'],
    [5, /PDF, 5 pages, the first \D?3\D? shown/],
  ])('sees of a PDF how many pages it has: %i', async (pages, words) => {
    list = [message(1, { type: 'picture', image: 'a.jpg', pages, body: '' })]
    fakeServer({ ...answers, [IMAGE]: jpeg })
    await renderApp('/kefu')
    await screen.findByText(words)
    screen.getByRole('img', { name: 'PDF from Anna' })
  })

  test('sees no pages below a picture', async () => {
    list = [message(1, { type: 'picture', image: 'a.jpg', body: '' })]
    fakeServer({ ...answers, [IMAGE]: jpeg })
    await renderApp('/kefu')
    await screen.findByRole('img', { name: 'Picture from Anna' })
    expect(screen.queryByText(/PDF, /)).toBeNull()
  })

  test('comes with what was looked for, which the trader alone sends', async () => {
    const asked = fakeServer(answers)
    await renderApp('/kefu?about=a+%26+b')
    expect(await field()).toHaveProperty('value', 'a & b')
    await userEvent.type(await field(), ' is missing')
    expect(asked.filter(({ path }) => path === INSERT)).toEqual([])
    await userEvent.type(await field(), '{Enter}')
    await waitFor(() =>
      expect(asked.find(({ path }) => path === INSERT)?.body).toMatchObject({
        text: 'a & b is missing',
      }),
    )
  })

  test('comes with the withdrawal that it is about', async () => {
    const asked = fakeServer(answers)
    await renderApp('/kefu?card=withdrawal&id=12')
    await screen.findByText(/Attached: Withdrawal \D?WD-12/)
    await userEvent.type(await field(), 'Where is it?{Enter}')
    await waitFor(() =>
      expect(asked.find(({ path }) => path === INSERT)?.body).toMatchObject({
        text: 'Where is it?',
        cardKind: 'withdrawal',
        cardId: 12,
      }),
    )
  })

  test.each([
    [2, '/ws/user/plus'],
    [1, '/kefu/kefuApi/findUserReadCount'],
  ] as const)('of a chat of type %i sees on the home screen what is unread', async (type, path) => {
    const asked = fakeServer({
      ...answers,
      [CONFIG]: () => answer({ ...config, type }),
      [path]: () => answer({ unread: 4 }),
      [READ]: () => answer({ unread: 5 }),
    })
    await renderApp('/home/index')
    await screen.findByRole('link', { name: /Support\s*4/ })
    expect(asked.filter((one) => one.path === path)).toHaveLength(1)
    tell({ message: message(9) })
    await screen.findByRole('link', { name: /Support\s*5/ })
    expect(asked.find((one) => one.path === READ)?.body).toEqual({ lastId: 9, read: false })
  })
})
