// `npm run check:release`: says why what is checked out cannot be released, or how to go on.
import { fail, Problem } from './lib/problem.mjs'
import { checkRelease } from './lib/release-check.mjs'
import { root } from './lib/server.mjs'

try {
  const { tag, isTagged, reasons } = checkRelease(root)
  if (reasons.length > 0)
    throw new Problem(
      `This cannot be released as ${tag}:\n${reasons.map((reason) => `- ${reason}`).join('\n')}`,
    )
  console.log(
    isTagged
      ? `${tag} is ready: git push origin ${tag}, then publish the release with its chapter of CHANGELOG.md.`
      : `Ready for the tag: git tag ${tag}`,
  )
} catch (failure) {
  fail(failure)
}
