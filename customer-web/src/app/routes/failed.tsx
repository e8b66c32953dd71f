import { NotApproved } from '@/features/identity/components/not-approved'
import { existingPath, IdentityPage, stepPath } from './identity-page'

/** The verification was not approved, or parts of it are asked for again. */
export default function Failed() {
  return (
    <IdentityPage path="/failed">
      {(identity) => (
        <NotApproved identity={identity} pathOf={stepPath} supportPath={existingPath('/kefu')} />
      )}
    </IdentityPage>
  )
}
