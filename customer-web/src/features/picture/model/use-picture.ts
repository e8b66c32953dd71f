import { useRef, useState } from 'react'
import { fileKind, type PictureProblem, type PictureUse, preparePicture } from './prepare-picture'

export type Chosen = {
  picture: File | null
  problem: PictureProblem | null
  /** Warnings that do not block the upload. */
  warnings: readonly string[]
  preparing: boolean
}

export type ChosenPicture = Chosen & {
  /** What the field takes. */
  use: PictureUse
  choose: (file: File) => void
  /** Clears the choice. */
  clear: () => void
  /** The browser can't display it. */
  setDamaged: () => void
}

const none: Chosen = { picture: null, problem: null, warnings: [], preparing: false }
const noWarnings = async () => []

/** The chosen picture, prepared and checked, or its problem. The last choice wins. */
export function usePicture(
  use: PictureUse = {},
  look: (picture: File) => Promise<readonly string[]> = noWarnings,
): ChosenPicture {
  const [chosen, setChosen] = useState(none)
  const latest = useRef(0)
  const choose = async (file: File) => {
    latest.current += 1
    const mine = latest.current
    setChosen({ ...none, preparing: true })
    const prepared = await preparePicture(file, use)
    const shown = 'picture' in prepared && fileKind(prepared.picture) === 'shown'
    const warnings = shown ? await look(prepared.picture) : []
    if (mine !== latest.current) return
    setChosen({ ...none, ...prepared, warnings })
  }
  return {
    ...chosen,
    use,
    choose: (file) => void choose(file),
    clear: () => {
      latest.current += 1
      setChosen(none)
    },
    setDamaged: () => setChosen({ ...none, problem: 'damaged' }),
  }
}
