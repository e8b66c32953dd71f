import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useSearchParams } from 'react-router'
import { reasonOf } from '@/api/reason'
import { type Identity, useIdentity } from '@/features/identity/api/identity'
import { type IdentityPage as Path, redirectOf } from '@/features/identity/model/pages'
import type { Step } from '@/features/identity/model/steps'
import { useIsGuest } from '@/session/session-store'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { hasRoute } from '../routes'
import { Page } from './page'

export type IdentityPageProps = {
  path: Path
  children: (identity: Identity) => ReactNode
}

/** The frame of the four identity screens; redirects to the one that fits the trader's status. */
export function IdentityPage({ path, children }: IdentityPageProps) {
  const { t } = useTranslation()
  return (
    <Page title={t('identity.title')}>
      <div className={styles.flow}>
        {useIsGuest() ? <GuestNotice /> : <Led path={path}>{children}</Led>}
      </div>
    </Page>
  )
}

function Led({ path, children }: IdentityPageProps) {
  const { data, error, isFetching, refetch } = useIdentity()
  const [search] = useSearchParams()
  if (!data) {
    return (
      <section className={styles.block}>
        {error ? (
          <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} retrying={isFetching} />
        ) : (
          <SkeletonRows rows={6} />
        )}
      </section>
    )
  }
  const other = redirectOf(path, data, search.has('step'))
  return other ? <Navigate to={other} replace /> : children(data)
}

/** Asks a guest to register before verification. */
function GuestNotice() {
  const { t } = useTranslation()
  return (
    <section className={styles.block}>
      <EmptyState
        icon="info"
        text={t('error.guest.register')}
        action={
          <Button variant="primary" to="/register">
            {t('shell.sign_up')}
          </Button>
        }
      />
    </section>
  )
}

/** Returns the path if it has a screen, else undefined. */
export function existingPath(path: string): string | undefined {
  return hasRoute(path) ? path : undefined
}

/** The path of an application step. */
export function stepPath(step: Step): string {
  return `/authenticate?step=${step}`
}
