/** The contributions of an area to pages. Its `pages.tsx` exports such declarations and nothing else. */
export interface Face {
  /**
   * `view` and `listView` show a record, `form` lays out the form of an operation, `settings` the sections of a change, `fill`
   * fills a slot of another area.
   */
  readonly kind: 'view' | 'listView' | 'form' | 'settings' | 'fill'
}

/** The exports of a `pages.tsx`, by name. */
export type Faces = Readonly<Record<string, Face>>
