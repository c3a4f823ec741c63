import { linkTo } from '../../../runtime/ui/links.ts'
import type { Seen } from './view.ts'

/** The page of one page of the site. */
export const pageLink = ({ pathOf, url }: Pick<Seen, 'pathOf' | 'url'>, path: string): string | undefined =>
  linkTo(pathOf('PageDetail'), url, { path })
