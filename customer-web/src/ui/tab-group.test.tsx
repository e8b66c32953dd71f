import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { storage } from '@/storage/storage'
import { renderPart } from '@/testing/render-app'
import { TabGroup, type TabItem } from './tab-group'

const list: TabItem[] = [
  { title: 'Positions', count: 5 },
  { title: 'Pending' },
  { title: 'Copy', hidden: true },
  { title: 'History' },
]

function Tabs({ start = 0 }: { start?: number }) {
  const [active, setActive] = useState(start)
  return <TabGroup label="Orders" active={active} list={list} onChange={setActive} />
}

const chosen = () => screen.getByRole('tab', { selected: true }).textContent

test('hidden tabs are not there', async () => {
  await renderPart(<Tabs />)
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'Positions5',
    'Pending',
    'History',
  ])
})

test('arrows, Home and End move, and skip what is hidden', async () => {
  await renderPart(<Tabs />)
  await userEvent.tab()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  expect(chosen()).toBe('History')
  expect(document.activeElement?.textContent).toBe('History')
  await userEvent.keyboard('{ArrowRight}')
  expect(chosen()).toBe('Positions5')
  await userEvent.keyboard('{ArrowLeft}')
  expect(chosen()).toBe('History')
  await userEvent.keyboard('{Home}')
  expect(chosen()).toBe('Positions5')
  await userEvent.keyboard('{End}')
  expect(chosen()).toBe('History')
})

test('only the chosen tab is in the tab order', async () => {
  await renderPart(<Tabs start={1} />)
  expect(screen.getAllByRole('tab').map(({ tabIndex }) => tabIndex)).toEqual([-1, 0, -1])
})

test('arrows follow the reading direction', async () => {
  storage.write('locale', 'ar')
  await renderPart(<Tabs />)
  await userEvent.tab()
  await userEvent.keyboard('{ArrowLeft}')
  expect(chosen()).toBe('Pending')
})

test('an item can say itself that it is chosen', async () => {
  await renderPart(
    <TabGroup
      label="x"
      list={[{ title: 'A' }, { title: 'B', active: true }]}
      onChange={() => {}}
    />,
  )
  expect(chosen()).toBe('B')
})
