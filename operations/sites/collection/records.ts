/** The outcome of a test of the traffic rules. */
import { Type } from '@sinclair/typebox'
import { Nullable, OneOf, record, Sentence } from '../../../runtime/table/schema.ts'
import { networkKinds } from '../../../storage/engine/vocabulary/networks.ts'
import { TrafficRule } from '../traffic-rules/records.ts'

export const TrafficTest = record(
  'TrafficTest',
  {
    counted: Type.Boolean({ description: 'Whether such a hit would be counted.' }),
    reason: Nullable(OneOf(['bot', 'spam_referrer', 'traffic_rule']), { description: 'Reason for dropping it, as in `collection_drops`.' }),
    rule: Nullable(TrafficRule, { description: 'Traffic rule that decides.' }),
    country: Nullable(Type.String(), { description: 'Country that the rules see.' }),
    region: Nullable(Type.String(), { description: 'Region that the rules see.' }),
    asn: Nullable(Type.String(), { description: 'Autonomous system that the rules see, for example `AS3320`.' }),
    network: Nullable(Type.String(), { description: 'Name of the network of the address.' }),
    network_kind: Nullable(OneOf(networkKinds), { description: 'Kind of network that the rules see.' }),
    dropped_30d: Nullable(Type.Integer({ unit: 'count' }), {
      description:
        'Stored hits of the last 30 days that the rule would have dropped: the rule of `kind` and `value`, otherwise the one that decides. Null without a rule, or if stored hits lack what it tests.',
    }),
    dropped_30d_unknown: Nullable(Sentence(), { description: 'Why that is not known.' }),
  },
  'The outcome for an imaginary hit.',
)
