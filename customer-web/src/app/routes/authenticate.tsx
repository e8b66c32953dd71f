import { useNavigate, useSearchParams } from 'react-router'
import { ApplicationForm } from '@/features/identity/components/application-form'
import { firstIncompleteStep, stepAt } from '@/features/identity/model/steps'
import { IdentityPage, stepPath } from '../parts/identity-page'

/** The identity application, step by step; the address contains the step. */
export default function Authenticate() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return (
    <IdentityPage path="/authenticate">
      {(identity) => (
        <ApplicationForm
          identity={identity}
          now={stepAt(identity, search.get('step'))}
          pathOf={stepPath}
          onDone={(kept) => void navigate(stepPath(firstIncompleteStep(kept)))}
        />
      )}
    </IdentityPage>
  )
}
