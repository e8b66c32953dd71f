import { createElement, type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { targetOf } from '../model/target'
import styles from './html.module.css'

export type HtmlProps = {
  /** HTML sanitised by the server. */
  text: string
  /** Reports whether a path is a screen of the app. */
  hasPath: (path: string) => boolean
}

/** The allowed elements besides links and tables. */
const KEPT = [
  ...['p', 'br', 'strong', 'em', 'ul', 'ol', 'li', 'h2', 'h3', 'blockquote', 'code'],
  ...['thead', 'tbody', 'tr', 'th', 'td'],
]
/** React allows no whitespace inside these. */
const ROWS = ['TABLE', 'THEAD', 'TBODY', 'TR']

/**
 * Renders a body written by staff. Its markup is never inserted: known elements are recreated without attributes,
 * and all others are dropped.
 */
export function Html({ text, hasPath }: HtmlProps) {
  const body = useMemo(() => new DOMParser().parseFromString(text, 'text/html').body, [text])
  return <div className={styles.html}>{inside(body, hasPath)}</div>
}

function inside(parent: Node, hasPath: HtmlProps['hasPath']): ReactNode[] {
  return [...parent.childNodes].map((node, key) => made(node, key, hasPath))
}

function made(node: Node, key: number, hasPath: HtmlProps['hasPath']): ReactNode {
  if (node.nodeType === Node.TEXT_NODE)
    return ROWS.includes(node.parentNode?.nodeName ?? '') ? null : node.textContent
  if (!(node instanceof HTMLElement)) return null
  const name = node.localName
  if (name === 'a') return linkOf(node, key, hasPath)
  if (name === 'br') return <br key={key} />
  if (name === 'table')
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keys
      <div key={key} className={styles.table} tabIndex={0}>
        <table>{inside(node, hasPath)}</table>
      </div>
    )
  return KEPT.includes(name) ? createElement(name, { key }, ...inside(node, hasPath)) : null
}

function linkOf(node: HTMLElement, key: number, hasPath: HtmlProps['hasPath']): ReactNode {
  const target = targetOf(node.getAttribute('href') ?? '', hasPath)
  const words = inside(node, hasPath)
  if (!target) return <span key={key}>{words}</span>
  if ('to' in target)
    return (
      <Link key={key} to={target.to}>
        {words}
      </Link>
    )
  return (
    <a key={key} href={target.href} target="_blank" rel="noopener noreferrer">
      {words}
    </a>
  )
}
