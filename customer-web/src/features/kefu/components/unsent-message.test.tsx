import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPart } from '@/testing/render-app'
import { UnsentMessage } from './unsent-message'

const unsent = { id: '1', at: 0, image: 'f1' }

test('a PDF that is being sent is a document', async () => {
  await renderPart(<UnsentMessage unsent={{ ...unsent, pdf: true }} />)
  expect(screen.getByText('Your document')).toBeTruthy()
})

test('a picture that is being sent is none', async () => {
  await renderPart(<UnsentMessage unsent={unsent} />)
  expect(screen.getByText('Your picture')).toBeTruthy()
})
