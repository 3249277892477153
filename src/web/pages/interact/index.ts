import type { MemberPage } from '../../member-pages/declaration'
import { authorizeInteractionPage } from './authorize'

/** Pages of this folder, as `npm run pages` lists them. */
export const interactPages: readonly MemberPage[] = [authorizeInteractionPage]
