/**
 * The HTML part of a mail that is mostly text: the same paragraphs as its text part, with a button for its link. It is a table
 * of 560 pixels with styles on every cell, which Gmail and Outlook show alike. It loads nothing. Links lead only to this
 * service: names that other people chose stay text.
 */
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { linkFree } from './link-free.ts'

export interface Letter {
  /** Its sender as people know it, for example the name of a status page. */
  readonly from: string
  readonly subject: string
  readonly locale: string
  /** Paragraphs of plain text. One that is only an address of this service becomes a button. */
  readonly text: readonly string[]
  /** Labelled values, below the text. */
  readonly facts?: readonly { readonly label: string; readonly value: string }[]
  /** Colour of the edge: something is wrong, or right again. */
  readonly tone?: 'bad' | 'good' | undefined
  /** The reason for the mail, in small print. */
  readonly foot?: readonly string[]
  /** Origin of this service, `https://stats.example.com`. */
  readonly origin: string
  /** Label of the button. */
  readonly open: string
}

/** Colours of all mails, the same as on light pages. Each has the class of the same name, for programs with a dark mode. */
export const ink = '#16181d'
export const muted = '#555b67'
export const ground = '#f6f7f9'
export const card = '#ffffff'
export const line = '#e5e7ec'
export const accent = '#4338ca'
export const tones = { good: '#0f7b4d', bad: '#c0332b', even: muted } as const

/** For mail programs with a dark mode that read styles. Others invert the colours themselves, or show the light ones. */
export const darkStyle = `@media (prefers-color-scheme:dark){.page{background:#0e1014!important}.card{background:#171a21!important}
.ink{color:#eceef2!important}.muted{color:#a4abb8!important}.line{border-color:#262a34!important}
.good{color:#4cc38a!important}.bad{color:#ff8f86!important}.link{color:#9c98ff!important}.bar{background:#9c98ff!important}
.button{background:#9c98ff!important;color:#12131a!important}
.edge-good{border-top-color:#4cc38a!important}.edge-bad{border-top-color:#ff8f86!important}}`

/** Repeated on every cell, because nested tables inherit nothing in Outlook. */
export const font = 'Helvetica,Arial,sans-serif'

const words = (size: number, color: string, more = ''): string => `margin:0;font:400 ${size}px/1.5 ${font};color:${color};${more}`

/** @returns the whole document */
export async function letterHtml(letter: Letter): Promise<string> {
  const document = await (<Document {...letter} />)
  return `<!doctype html>${document}`
}

function Document({ from, subject, locale, text, facts = [], tone, foot = [], origin, open }: Letter) {
  const edge = tone === undefined ? '' : `border-top:4px solid ${tones[tone]};`
  return (
    <html lang={locale}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{linkFree(subject)}</title>
        <style>{raw(darkStyle)}</style>
      </head>
      <body class="page" style={`margin:0;padding:0;background:${ground}`}>
        <Table class="page" style={`width:100%;background:${ground}`}>
          <tr>
            <td align="center" style="padding:24px 12px">
              <Table style="width:100%;max-width:560px" width="560">
                <tr>
                  <td class="ink" style={words(15, ink, 'font-weight:600;padding:0 4px 12px')}>
                    {linkFree(from)}
                  </td>
                </tr>
              </Table>
              <Table
                class={tone === undefined ? 'card line' : `card line edge-${tone}`}
                style={`width:100%;max-width:560px;background:${card};border:1px solid ${line};${edge}border-radius:10px`}
                width="560"
              >
                <tr>
                  <td style="padding:24px">
                    <h1 class="ink" style={words(19, ink, 'font-weight:600;line-height:1.3;padding-bottom:12px')}>
                      {linkFree(subject)}
                    </h1>
                    {text.map(paragraph => (
                      <Paragraph text={paragraph} origin={origin} open={open} />
                    ))}
                    {facts.length > 0 && <Facts facts={facts} origin={origin} />}
                  </td>
                </tr>
              </Table>
              {foot.length > 0 && (
                <Table style="width:100%;max-width:560px" width="560">
                  <tr>
                    <td style="padding:14px 4px 0">
                      {foot.map(line => (
                        <p class="muted" style={words(12, muted, 'padding-bottom:4px')}>
                          <Linked text={line} origin={origin} />
                        </p>
                      ))}
                    </td>
                  </tr>
                </Table>
              )}
            </td>
          </tr>
        </Table>
      </body>
    </html>
  )
}

interface TableProps {
  readonly style: string
  readonly class?: string
  readonly width?: string
  readonly children?: Child
}

/** A table for layout, which screen readers do not announce. */
export const Table = ({ children, width = '100%', ...rest }: TableProps) => (
  <table role="presentation" width={width} cellpadding="0" cellspacing="0" border={0} {...rest}>
    {children}
  </table>
)

function Paragraph({ text, origin, open }: { text: string } & Pick<Letter, 'origin' | 'open'>) {
  const isLink = text.startsWith(`${origin}/`) && !/\s/.test(text)
  if (!isLink)
    return (
      <p class="ink" style={words(15, ink, 'padding-bottom:14px;word-break:break-word')}>
        {text.split('\n').map((row, i) => (
          <>
            {i > 0 && <br />}
            <Linked text={row} origin={origin} />
          </>
        ))}
      </p>
    )
  return (
    <>
      <p style="margin:0;padding:6px 0 10px">
        <a
          href={text}
          class="button"
          style={`display:inline-block;padding:11px 22px;border-radius:8px;background:${accent};font:600 15px/1.2 ${font};color:#ffffff;text-decoration:none`}
        >
          {open}
        </a>
      </p>
      <p style={words(12, muted, 'padding-bottom:14px;word-break:break-all')}>
        <a href={text} class="muted" style={`color:${muted};text-decoration:none`}>
          {text}
        </a>
      </p>
    </>
  )
}

/** Longest address that a sentence shows whole, in characters. The link and the text part of the mail always have the whole address. */
const LONGEST_SHOWN = 48

/** Addresses of this service as links; nothing else is one. */
function Linked({ text, origin }: { text: string; origin: string }) {
  return (
    <>
      {text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,:;!?)])/).map((part, i) =>
        i % 2 === 1 && (part === origin || part.startsWith(`${origin}/`)) ? (
          <a href={part} class="link" style={`color:${accent};word-break:break-all`}>
            {part.length > LONGEST_SHOWN ? `${part.slice(0, LONGEST_SHOWN)}…` : part}
          </a>
        ) : (
          linkFree(part)
        ),
      )}
    </>
  )
}

function Facts({ facts, origin }: { facts: NonNullable<Letter['facts']>; origin: string }) {
  const cell = `padding:7px 0;border-top:1px solid ${line};vertical-align:top`
  return (
    <table width="100%" cellpadding="0" cellspacing="0" border={0} style="width:100%">
      {facts.map(({ label, value }) => (
        <tr>
          <th scope="row" align="left" width="38%" class="muted line" style={`${words(13, muted, cell)};padding-right:12px`}>
            {label}
          </th>
          <td class="ink line" style={`${words(14, ink, cell)};word-break:break-word`}>
            <Linked text={value} origin={origin} />
          </td>
        </tr>
      ))}
    </table>
  )
}
