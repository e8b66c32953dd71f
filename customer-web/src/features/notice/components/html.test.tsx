import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { renderPart } from '@/testing/render-app'
import { Html } from './html'

const hasPath = (path: string) => path === '/proof'

async function shown(text: string): Promise<HTMLElement> {
  const { container } = await renderPart(
    <div data-testid="here">
      <Html text={text} hasPath={hasPath} />
    </div>,
  )
  await screen.findByTestId('here')
  return container.querySelector<HTMLElement>('[data-testid] > div') as HTMLElement
}

test('keeps what staff may write', async () => {
  const body = '<h2>One</h2><p>Two <strong>three</strong><br></p><ul><li>four</li></ul>'
  expect((await shown(body)).innerHTML).toBe(body)
})

test('a table keeps its rows, between which there are spaces', async () => {
  const here = await shown('<table>\n<tbody> <tr> <td>1</td> <td>2</td> </tr></tbody></table>')
  expect(here.querySelector('table')?.outerHTML).toBe(
    '<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
  )
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><a href="javascript:alert(1)">x</a></svg>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<style>* { display: none }</style>',
  '<template><b>x</b></template>',
  '<form action="https://x.example"><input name="password"></form>',
  '<!-- words -->',
])('leaves out %s', async (text) => {
  expect((await shown(text)).innerHTML).toBe('')
})

test('elements that are known have no attributes', async () => {
  const here = await shown('<p onclick="alert(1)" style="color:red" class="a" id="b">x</p>')
  expect(here.innerHTML).toBe('<p>x</p>')
})

describe('a link', () => {
  test('to a screen that exists stays in the app', async () => {
    const here = await shown('<a href="#/proof?x=1">Proof</a>')
    expect(here.querySelector('a')?.getAttribute('href')).toBe('/proof?x=1')
    expect(here.querySelector('a')?.target).toBe('')
  })

  test('out of the app opens a tab that knows nothing of ours', async () => {
    const link = (await shown('<a href="https://x.example/a">Out</a>')).querySelector('a')
    expect(link?.target).toBe('_blank')
    expect(link?.rel).toBe('noopener noreferrer')
  })

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'http://x.example',
    '//x.example',
    '#/nowhere',
    'https:x',
    '',
  ])('to %s is only its words', async (href) => {
    const here = await shown(`<a href="${href}">Words</a>`)
    expect(here.querySelector('a')).toBeNull()
    expect(here.textContent).toBe('Words')
  })
})
