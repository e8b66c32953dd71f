import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { reportClick } from '../api/reach'
import type { Target } from '../model/target'

export type TargetLinkProps = {
  /** The item whose link it is; a press counts for it. */
  id: number
  target: Target
  className?: string | undefined
  children: ReactNode
  onClick?: (() => void) | undefined
}

/** The link of something that is published: inside the app, or in a tab of its own. */
export function TargetLink({ id, target, className, children, onClick }: TargetLinkProps) {
  const press = () => {
    reportClick(id)
    onClick?.()
  }
  if ('to' in target)
    return (
      <Link to={target.to} className={className} draggable={false} onClick={press}>
        {children}
      </Link>
    )
  return (
    <a
      href={target.href}
      target="_blank"
      rel="noopener noreferrer"
      className={className}
      draggable={false}
      onClick={press}
    >
      {children}
    </a>
  )
}
