import { NotApproved } from '@/features/identity/components/not-approved'
import { existingPath, IdentityPage, stepPath } from '../parts/identity-page'

/** The verification was rejected or parts of it must be submitted again. */
export default function Failed() {
  return (
    <IdentityPage path="/failed">
      {(identity) => (
        <NotApproved identity={identity} pathOf={stepPath} supportPath={existingPath('/kefu')} />
      )}
    </IdentityPage>
  )
}
