import * as z from 'zod'
import { QuotePolicy, Visibility } from './visibility'

export const Preferences = z
  .strictObject({
    'posting:default:visibility': Visibility,
    'posting:default:sensitive': z.boolean(),
    'posting:default:language': z.string().nullable(),
    'posting:default:quote_policy': QuotePolicy,
    'reading:expand:media': z.enum(['default', 'show_all', 'hide_all']),
    'reading:expand:spoilers': z.boolean(),
    'reading:autoplay:gifs': z.boolean(),
  })
  .meta({ id: 'Preferences' })
export type Preferences = z.infer<typeof Preferences>
