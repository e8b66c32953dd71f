import { useRef, useState } from 'react'
import { type ProofProblem, prepareProof } from './proof-picture'

type Chosen = { picture: File | null; problem: ProofProblem | null; preparing: boolean }

const none: Chosen = { picture: null, problem: null, preparing: false }

/** The picture a trader has chosen, prepared for upload, or why it can't be. The last choice counts. */
export function usePicture() {
  const [chosen, setChosen] = useState(none)
  const latest = useRef(0)
  const choose = async (file: File) => {
    latest.current += 1
    const mine = latest.current
    setChosen({ ...none, preparing: true })
    const prepared = await prepareProof(file)
    if (mine !== latest.current) return
    setChosen({ ...none, ...prepared })
  }
  return { ...chosen, choose }
}
