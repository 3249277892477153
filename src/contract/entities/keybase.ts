import * as z from 'zod'
import { Url } from '../scalars'

/** Proof configuration that Keybase requests from servers of proven identities. In Mastodon from 2.8 to 3.4. */
export const KeybaseProofConfig = z
  .strictObject({
    version: z.int(),
    domain: z.string(),
    display_name: z.string(),
    username: z.strictObject({ min: z.int(), max: z.int(), re: z.string() }),
    brand_color: z.string(),
    logo: z.strictObject({
      svg_black: Url,
      svg_white: Url,
      svg_full: Url,
      svg_full_darkmode: Url,
    }),
    description: z.string(),
    // Contains placeholders such as %{username}.
    prefill_url: Url,
    profile_url: Url,
    check_url: Url,
    check_path: z.array(z.string()),
    avatar_path: z.array(z.string()),
    contact: z.array(z.string()),
  })
  .meta({ id: 'KeybaseProofConfig' })
export type KeybaseProofConfig = z.infer<typeof KeybaseProofConfig>

export const KeybaseProofs = z
  .strictObject({
    avatar: Url,
    signatures: z.array(z.strictObject({ sig_hash: z.string(), kb_username: z.string() })),
  })
  .meta({ id: 'KeybaseProofs' })
export type KeybaseProofs = z.infer<typeof KeybaseProofs>
