import type { Channel } from '../api/channels'

type Kind = Channel['kind']

/** The kinds of the ways to pay in, each once, in the order in which they come. */
export function kindsOf(channels: readonly Channel[]): Kind[] {
  return [...new Set(channels.map(({ kind }) => kind))]
}

/** The way to pay in that stands: of the kind and with the id that were chosen, otherwise the first that is open. Without a channel all of the kind are closed. */
export function selectChannel(
  channels: readonly Channel[],
  wanted: { kind?: Kind; channelId?: number },
): { kind: Kind; channel: Channel | undefined } | null {
  const open = channels.filter(({ closed }) => !closed)
  const kind = wanted.kind ?? open[0]?.kind
  if (kind === undefined) return null
  const some = open.filter((one) => one.kind === kind)
  return {
    kind,
    channel: some.find(({ channelId }) => channelId === wanted.channelId) ?? some[0],
  }
}
