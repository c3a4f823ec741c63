/**
 * Slack's incoming webhooks, which Mattermost and others accept too (docs.slack.dev/reference/block-kit). User input
 * goes into plain-text fields; in `text`, which notifications show, only these three characters need escaping.
 */
import { clipped } from '../../../../runtime/values/clip.ts'
import type { SaidMessage } from '../message.ts'

export function slackBody({ title, text, facts, url }: SaidMessage): object {
  const plain = (content: string, max: number) => ({ type: 'plain_text', text: clipped(content, max), emoji: false })
  const fields = facts.slice(0, 10).map(({ label, value }) => plain(`${label}: ${value}`, 2_000))
  return {
    text: escaped(clipped(`${title}: ${text}`, 3_000)),
    blocks: [
      { type: 'header', text: plain(title, 150) },
      { type: 'section', text: plain(text, 3_000) },
      ...(facts.length > 0 ? [{ type: 'section', fields }] : []),
      { type: 'section', text: { type: 'mrkdwn', text: `<${escaped(url)}|Open in Footfall>` } },
    ],
  }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
