import type { Endpoint } from './endpoint'
import { timelines } from './timelines'

/** Every endpoint of the API: the only place where they are registered. */
export const endpoints: readonly Endpoint[] = [timelines].flat()
