/**
 * A report as the HTML of a mail: tables of 600 pixels with styles on every cell, which Gmail and Outlook show alike.
 * Charts are cells with a height, because both show neither inline SVG nor data: images. The mail loads nothing.
 */
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { Chart, Content, Figure, Section, TopList } from '../content.ts'
import { accent, card, darkStyle, font, ground, ink, line, muted, Table, tones } from '../../../people/mail/components.tsx'
import { linkFree } from '../../../people/mail/index.ts'
import { m } from '../messages.ts'
import { common } from '../../../../runtime/texts/common.ts'

export interface MailFrame {
  readonly subject: string
  /** Footer lines: the reason for the mail, and how to unsubscribe. */
  readonly footer: readonly string[]
  readonly unsubscribe: string | null
  /** Address of its logo: a part of the mail (`cid:`), or inline in a preview (`data:`). */
  readonly logo: string | null
  /** Whether a page shows it in a frame, which its links must leave. */
  readonly isPreview?: true
}

/** @returns the whole document */
export async function htmlOf(content: Content, around: MailFrame): Promise<string> {
  const document = await (<Document content={content} around={around} />)
  return `<!doctype html>${document}`
}

function Document({ content, around }: { content: Content; around: MailFrame }) {
  const { say, sections, isSummary } = content
  return (
    <html lang={say.locale}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{around.subject}</title>
        {around.isPreview && <base target="_blank" />}
        <style>{raw(darkStyle)}</style>
      </head>
      <body class="page" style={`margin:0;padding:0;background:${ground}`}>
        <Table class="page" style={`width:100%;background:${ground}`}>
          <tr>
            <td align="center" style="padding:24px 8px">
              <Table class="card" style={`width:100%;max-width:600px;background:${card};border-radius:8px`} width="600">
                <Head content={content} logo={around.logo} />
                {sections.length > 1 && <Summary content={content} />}
                {isSummary ? <Row padding="24px" /> : sections.map(section => <SectionRows section={section} content={content} />)}
              </Table>
              <Foot content={content} around={around} />
            </td>
          </tr>
        </Table>
      </body>
    </html>
  )
}

const Row = ({ children, padding = '0 24px' }: { children?: Child; padding?: string }) => (
  <tr>
    <td style={`padding:${padding}`}>{children}</td>
  </tr>
)

const cellText = (size: number, color: string, weight = 400): string => `font:${weight} ${size}px/1.4 ${font};color:${color}`
/** Resets the margins of headings and paragraphs. */
const text = (size: number, color: string, more = ''): string => `margin:0;${cellText(size, color)};${more}`

function Head({ content: { name, dates, compared, segment }, logo }: { content: Content; logo: string | null }) {
  return (
    <>
      {logo !== null && (
        <Row padding="24px 24px 0">
          <img src={logo} alt="" height="40" style="display:block;height:40px;border:0" />
        </Row>
      )}
      <Row padding="24px 24px 0">
        <h1 class="ink" style={text(22, ink, 'font-weight:600')}>
          {linkFree(name)}
        </h1>
        <p class="ink" style={text(16, ink, 'padding-top:4px')}>
          {dates}
        </p>
        <p class="muted" style={text(13, muted, 'padding-top:2px')}>
          {compared}
        </p>
        {segment !== null && (
          <p class="muted" style={text(13, muted, 'padding-top:2px')}>
            {linkFree(segment)}
          </p>
        )}
      </Row>
    </>
  )
}

/** One line of figures for each of several sites. */
function Summary({ content: { sections, say } }: { content: Content }) {
  const cell = `padding:6px 0;border-bottom:1px solid ${line}`
  const names = [say(m.site), say(m.visitors), say(m.pageviews)]
  return (
    <Row padding="20px 24px 0">
      <table width="100%" cellpadding="0" cellspacing="0" border={0} style="width:100%">
        <tr>
          {names.map((name, i) => (
            <th scope="col" align={i === 0 ? 'left' : 'right'} class="muted line" style={`${cell};${cellText(12, muted)}`}>
              {name}
            </th>
          ))}
        </tr>
        {sections.map(({ site, figures }) => (
          <tr>
            <td class="ink line" style={`${cell};${cellText(14, ink)}`}>
              {linkFree(site)}
            </td>
            {[figures[0], figures[2]].map(figure => (
              <td align="right" class="ink line" style={`${cell};${cellText(14, ink)}`}>
                {figure?.value} {figure && <Changed figure={figure} />}
              </td>
            ))}
          </tr>
        ))}
      </table>
    </Row>
  )
}

function Changed({ figure: { change, tone } }: { figure: Figure }) {
  return change === null ? null : (
    <span class={tone === 'even' ? 'muted' : tone} style={`font-size:12px;color:${tones[tone]}`}>
      {change}
    </span>
  )
}

function SectionRows({ section, content: { say, sections } }: { section: Section; content: Content }) {
  const { site, href, figures, chart, lists, notes, isEmpty } = section
  return (
    <>
      <Row padding="24px 24px 0">
        <h2 class="ink line" style={text(17, ink, `font-weight:600;padding-top:16px;border-top:1px solid ${line}`)}>
          {linkFree(site)}
        </h2>
      </Row>
      {isEmpty && (
        <Row padding="4px 24px 0">
          <p class="muted" style={text(14, muted)}>
            {say(m.nobody_visited)}
          </p>
        </Row>
      )}
      {(sections.length === 1 || !isEmpty) && (
        <Row padding="4px 24px 0">
          <Figures figures={figures} say={say} />
        </Row>
      )}
      {chart && (
        <Row padding="16px 24px 0">
          <ChartTable chart={chart} />
        </Row>
      )}
      {!isEmpty &&
        lists.map(list => (
          <Row padding="20px 24px 0">
            <ListTable list={list} nothing={say(m.there_is_nothing_to_show)} />
          </Row>
        ))}
      {notes.map(note => (
        <Row padding="12px 24px 0">
          <p class="muted" style={text(12, muted)}>
            {note}
          </p>
        </Row>
      ))}
      <Row padding="16px 24px 24px">
        <a href={href} class="link" style={text(14, accent, 'text-decoration:underline')}>
          {say(m.open_the_report)}
        </a>
      </Row>
    </>
  )
}

/** Three would break amounts and durations on a phone. */
const PER_ROW = 2

function Figures({ figures, say }: { figures: readonly Figure[]; say: Content['say'] }) {
  const rows = Array.from({ length: Math.ceil(figures.length / PER_ROW) }, (_, i) => figures.slice(i * PER_ROW, (i + 1) * PER_ROW))
  return (
    <Table style="width:100%">
      {rows.map(row => (
        <tr>
          {Array.from({ length: PER_ROW }, (_, i) => row[i]).map(figure => (
            <td width="50%" valign="top" class="muted" style={`padding:12px 8px 0 0;${cellText(12, muted)}`}>
              {figure && (
                <>
                  {figure.label}
                  <br />
                  <b class="ink" style={`font-size:20px;white-space:nowrap;color:${ink}`}>
                    {figure.value}
                  </b>
                  <br />
                  <Changed figure={figure} /> {figure.change === null ? '' : say(m.before_value, { value: figure.before })}
                </>
              )}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  )
}

const HEIGHT = 72

/** Each point is a column of a table, as high as its value. */
function ChartTable({ chart: { heading, bars, first, last, peak: max } }: { chart: Chart }) {
  return (
    <>
      <p class="muted" style={text(12, muted)}>
        {heading} – {max}
      </p>
      <Table style={`width:100%;height:${HEIGHT}px`}>
        <tr>
          {bars.map(share => (
            <td valign="bottom" height={HEIGHT} style={`padding:0 ${bars.length > 12 ? 1 : 8}px;font-size:0;line-height:0`}>
              <Bar height={Math.round(share * HEIGHT)} />
            </td>
          ))}
        </tr>
      </Table>
      <Table style="width:100%">
        <tr>
          <td class="muted" style={cellText(11, muted)}>
            {first}
          </td>
          <td align="right" class="muted" style={cellText(11, muted)}>
            {last}
          </td>
        </tr>
      </Table>
    </>
  )
}

const Bar = ({ height }: { height: number }) => {
  const high = Math.max(1, height)
  return (
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border={0}>
      <tr>
        <td class="bar" bgcolor={accent} style={`font-size:1px;line-height:${high}px`}>
          &nbsp;
        </td>
      </tr>
    </table>
  )
}

/** Columns of the bar next to the names, in percent of the table. */
const BAR_PERCENT = 30

function ListTable({ list: { heading, of, rows }, nothing }: { list: TopList; nothing: string }) {
  const cell = `padding:5px 0;border-bottom:1px solid ${line}`
  return (
    <table width="100%" cellpadding="0" cellspacing="0" border={0} style="width:100%">
      <tr>
        <th scope="col" colspan={2} align="left" class="ink line" style={`${cell};${cellText(14, ink, 600)}`}>
          {heading}
        </th>
        <th scope="col" align="right" class="muted line" style={`${cell};${cellText(12, muted)}`}>
          {of}
        </th>
      </tr>
      {rows.length === 0 && (
        <tr>
          <td colspan={3} class="muted" style={`padding:5px 0;${cellText(13, muted)}`}>
            {nothing}
          </td>
        </tr>
      )}
      {rows.map(({ label, value, share }) => (
        <tr>
          <td class="ink line" style={`${cell};${cellText(13, ink)};word-break:break-word`}>
            {linkFree(label)}
          </td>
          <td width={`${BAR_PERCENT}%`} class="line" style={`${cell};padding-left:8px`} aria-hidden="true">
            {share > 0 && (
              <table role="presentation" width={`${Math.max(1, Math.round(share * 100))}%`} cellpadding="0" cellspacing="0" border={0}>
                <tr>
                  <td class="bar" bgcolor={accent} style="font-size:1px;line-height:8px">
                    &nbsp;
                  </td>
                </tr>
              </table>
            )}
          </td>
          <td width="15%" align="right" class="ink line" style={`${cell};${cellText(13, ink)}`}>
            {value}
          </td>
        </tr>
      ))}
    </table>
  )
}

function Foot({ content: { say }, around: { footer, unsubscribe } }: { content: Content; around: MailFrame }) {
  return (
    <Table style="width:100%;max-width:600px" width="600">
      <Row padding="16px 24px">
        {footer.map(line => (
          <p class="muted" style={text(12, muted, 'padding-bottom:4px')}>
            {linkFree(line)}
          </p>
        ))}
        {unsubscribe !== null && (
          <a href={unsubscribe} class="link" style={text(12, accent, 'text-decoration:underline')}>
            {say(common.unsubscribe)}
          </a>
        )}
      </Row>
    </Table>
  )
}
