import type { Wire } from '@/api/client'

/** An item of content as the back office sends it: in the language that readers get. */
export type Draft = {
  id: number
  revision: number
  kind: 'notice' | 'news' | 'faq' | 'banner' | 'popup' | 'page'
  /** The key of a page. */
  key: string
  locale: string
  title: string
  summary: string
  body: string
  image: string
  alt: string
  category: string
  placement: Wire['NoticePlacement']
  severity: Wire['SiteMail']['severity']
  link: string
  source: string
  frequency: Wire['Popup']['frequency']
  sticky: boolean
  mustAck: boolean
  time: number
}

/** Whether there is a text that readers could see. */
const written = ({ title, summary, body }: Draft) => title + summary + body !== ''

function picture({ image, alt }: Draft): { image?: string; alt?: string } {
  return image === '' ? {} : { image, alt }
}

function banner(draft: Draft): Wire['Banner'] {
  const { id, title, summary, link, locale } = draft
  return { id, title, body: summary, link, locale, ...picture(draft) }
}

function popup(draft: Draft): Wire['Popup'] {
  const { id, revision, category, severity, title, body, link, frequency, mustAck, locale } = draft
  const shown = { id, revision, category, severity, title, body, link, frequency, mustAck, locale }
  return { ...shown, dismissible: !mustAck, ...picture(draft) }
}

function notice(draft: Draft): Wire['SiteMail'] {
  const { id, placement, severity, title, summary, time, sticky, link, locale } = draft
  const category = draft.category as Wire['NoticeCategory']
  return { id, category, placement, severity, title, summary, time, sticky, link, locale }
}

function news(draft: Draft): Wire['NewsItem'] {
  const { id, title, summary, source, time, sticky, link, locale } = draft
  const category = draft.category as Wire['NewsCategory']
  return { id, category, title, summary, source, time, sticky, link, locale, ...picture(draft) }
}

function article(draft: Draft): Wire['Article'] {
  const { id, category, severity, title, summary, body, source, link, time, revision, locale } =
    draft
  const shown = { id, category, severity, title, summary, body, link, time, revision, locale }
  return { ...shown, ...picture(draft), ...(source === '' ? {} : { source }) }
}

function question(draft: Draft): Wire['Question'] {
  const { id, title, body, locale } = draft
  return { id, title, body, locale, category: draft.category as Wire['QuestionCategory'] }
}

function page(draft: Draft): Wire['ContentPage'] {
  const { id, key, title, body, revision, time, locale } = draft
  return { id, key, title, body, revision, publishedAt: time, locale }
}

/** A page of a list that has the draft and nothing else. */
function listed<Item>(draft: Draft, item: (draft: Draft) => Item) {
  const list = written(draft) ? [item(draft)] : []
  return { list, total: list.length, more: false, page: 1, size: 20, next: 0 }
}

/** What the server would answer to a call about the draft; undefined to any other call. */
export function answerOf(draft: Draft, { pathname, searchParams }: URL): unknown {
  switch (`${draft.kind} ${pathname}`) {
    case 'banner /client/api/findByBannerList':
      return listed(draft, banner).list
    case 'popup /client/popup/findPopupMsgList':
      return listed(draft, popup).list
    case 'notice /client/siteMail/findSiteMailPage':
      return listed(draft, notice)
    case 'news /client/currencyNews/findCurrencyNewsPage':
      return listed(draft, news)
    case 'notice /client/siteMail/findSiteMailDetail':
    case 'news /client/currencyNews/findCurrencyNewsDetail':
      return article(draft)
    case 'faq /client/api/findQuestionInfoList':
      return { categories: [draft.category], list: listed(draft, question).list }
    case 'page /client/content/findPage':
      return searchParams.get('key') === draft.key ? page(draft) : undefined
    default:
      return undefined
  }
}

/** The screen of the app that shows a draft, or with `opened` the one that it opens. */
export function pathOf({ kind, key, id, placement }: Draft, opened: boolean): string {
  switch (kind) {
    case 'notice':
      if (opened) return `/notice?id=${id}`
      return placement === 'list' ? '/notice' : '/home/index'
    case 'news':
      return opened ? `/news?id=${id}` : '/home/index'
    case 'faq':
      return '/problem'
    case 'page':
      return key === 'about' ? '/aboutUs' : `/relevant?page=${key}`
    default:
      return '/home/index'
  }
}
