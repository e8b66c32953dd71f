import type { Channel } from '../api/channels'

type Kind = Channel['kind']

/** The channel kinds, unique, in order of appearance. */
export function kindsOf(channels: readonly Channel[]): Kind[] {
  return [...new Set(channels.map(({ kind }) => kind))]
}

/**
 * The selected channel: the one chosen by kind and id, else the first open one. `channel` is undefined if all
 * channels of the kind are closed.
 */
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
