/**
 * Discord's webhooks (docs.discord.com/developers/resources/webhook). Mentions are disabled, whatever the alert's name.
 */
import { clipped } from '../../../../runtime/values/clip.ts'
import { type SaidMessage, tones } from '../message.ts'

const colours = { alarm: 0xd92d20, relief: 0x16a34a, notice: 0x6b7280 } as const

export function discordBody({ type, title, text, facts, url }: SaidMessage): object {
  return {
    embeds: [
      {
        title: clipped(escaped(title), 256),
        description: clipped(escaped(text), 4_096),
        url,
        color: colours[tones[type]],
        fields: facts
          .slice(0, 25)
          .map(({ label, value }) => ({ name: clipped(escaped(label), 256), value: clipped(escaped(value), 1_024), inline: true })),
      },
    ],
    allowed_mentions: { parse: [] },
  }
}

/** Escapes Markdown. */
const escaped = (text: string): string => text.replace(/[\\`*_~|<>[\]()#+\-:@]/g, '\\$&')
