import { NotApproved } from '@/features/identity/components/not-approved'
import { existing, IdentityPage, stepPath } from './identity-page'

/** The verification was not approved, or parts of it are asked for again. */
export default function Failed() {
  return (
    <IdentityPage path="/failed">
      {(identity) => (
        <NotApproved identity={identity} pathOf={stepPath} supportPath={existing('/kefu')} />
      )}
    </IdentityPage>
  )
}
