/** The one document that every page is put into. */
import type { Content } from '../../runtime/page.ts'
import { assetPath } from './assets.ts'

export interface Document {
  readonly title: string
  readonly content: Content
  readonly width?: 'narrow' | undefined
  readonly scripts?: readonly string[] | undefined
  /** How who is signed in is called; undefined for nobody. */
  readonly who?: string | undefined
}

export function Shell({ title, content, width, scripts = [], who }: Document) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Footfall`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={assetPath('app.css')} />
        {scripts.map(name => (
          <script type="module" src={assetPath(`${name}.js`)} />
        ))}
      </head>
      <body class={width}>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header class="top">
          <a class="brand" href="/">
            Footfall
          </a>
          {who !== undefined && (
            <nav class="who" aria-label="Account">
              <a href="/account">{who}</a>
              <form method="post" action="/session?_method=DELETE">
                <button class="plain" type="submit">
                  Sign out
                </button>
              </form>
            </nav>
          )}
        </header>
        <main id="main" tabindex={-1}>
          {content}
        </main>
      </body>
    </html>
  )
}
