import { accountReads } from './accounts/read'
import { accountRelationships } from './accounts/relationships'
import type { Endpoint } from './endpoint'
import { media } from './media'
import { timelines } from './timelines'

/** Every endpoint of the API: the only place where they are registered. */
export const endpoints: readonly Endpoint[] = [accountReads, accountRelationships, media, timelines].flat()
