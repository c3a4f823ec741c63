/**
 * Microsoft Teams' incoming webhooks (Workflows): an Adaptive Card (adaptivecards.microsoft.com, 1.4). Text runs do not
 * interpret Markdown, so user input needs no escaping.
 */
import { clipped } from '../../../../runtime/values/clip.ts'
import { type SaidMessage, tones } from '../message.ts'

const colours = { alarm: 'Attention', relief: 'Good', notice: 'Default' } as const

export function teamsBody({ type, title, text, facts, url }: SaidMessage): object {
  const line = (...runs: object[]) => ({ type: 'RichTextBlock', inlines: runs })
  const run = (content: string, more: object = {}) => ({ type: 'TextRun', text: clipped(content, 2_000), ...more })
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            line(run(title, { weight: 'Bolder', size: 'Large', color: colours[tones[type]] })),
            line(run(text)),
            ...facts.map(({ label, value }) => line(run(`${label}: `, { weight: 'Bolder' }), run(value))),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open in Footfall', url }],
        },
      },
    ],
  }
}
