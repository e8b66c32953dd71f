import { useNavigate, useSearchParams } from 'react-router'
import { FillIn } from '@/features/identity/components/fill-in'
import { firstOpen, stepAt } from '@/features/identity/model/steps'
import { IdentityPage, stepPath } from './identity-page'

/** Filling in one's identity, step by step; the address says the step. */
export default function Authenticate() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return (
    <IdentityPage path="/authenticate">
      {(identity) => (
        <FillIn
          identity={identity}
          now={stepAt(identity, search.get('step'))}
          pathOf={stepPath}
          onDone={(kept) => void navigate(stepPath(firstOpen(kept)))}
        />
      )}
    </IdentityPage>
  )
}
