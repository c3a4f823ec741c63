/**
 * RDAP servers of the most used top-level domains. Most are listed by IANA at data.iana.org/rdap/dns.json (RFC 9224); some
 * country registries answer without being listed. For other domains, the expiry is unknown.
 */
export type Registries = Readonly<Record<string, string>>

const servers: Readonly<Record<string, string>> = {
  'https://rdap.verisign.com/com/v1/': 'com',
  'https://rdap.verisign.com/net/v1/': 'net',
  'https://tld-rdap.verisign.com/cc/v1/': 'cc',
  'https://tld-rdap.verisign.com/name/v1/': 'name',
  'https://rdap.publicinterestregistry.org/rdap/': 'org ngo ong',
  'https://rdap.identitydigital.services/rdap/':
    'ac academy agency ag ai apartments archi associates attorney auction band bargains bet bike bio black blue ' +
    'boutique builders business bz cafe camera camp capital cards care careers cash casino catering center chat ' +
    'cheap church city claims cleaning clinic clothing coach codes coffee community company computer construction ' +
    'consulting contact contractors cool coupons credit cruises dance dating deals delivery dental dentist digital ' +
    'direct directory discount doctor dog domains education email energy engineer engineering enterprises equipment ' +
    'estate events exchange expert exposed express fail family fan farm finance financial fish fitness flights ' +
    'florist football forsale fund furniture fyi gallery games gifts glass global gmbh gold golf graphics gratis ' +
    'green group guide guru haus healthcare hockey holdings holiday hospital house immo immobilien industries info ' +
    'institute insure international investments io irish jetzt jewelry kaufen kim kitchen land lawyer lc lease legal ' +
    'lgbt life lighting limited limo live llc loans ltd maison management market marketing markets mba me media ' +
    'memorial mn mobi moda money mortgage movie network news ninja organic partners parts pet photography photos ' +
    'pictures pink pizza place plumbing plus pr pro productions promo properties pub recipes red rehab reise reisen ' +
    'rentals repair report restaurant reviews rip rocks run sale salon sarl sc school schule services sh shoes ' +
    'shopping show singles ski soccer social software solar solutions studio style supplies supply support surgery ' +
    'systems tax vc',
  'https://pubapi.registry.google/rdap/': 'app boo channel dad day dev esq foo how ing meme mov new nexus page phd prof rsvp soy zip',
  'https://rdap.gmoregistry.net/rdap/': 'shop tokyo',
  'https://rdap.nic.biz/': 'biz',
  'https://rdap.registry.co/co/': 'co',
  'https://rdap.eco.fury.ca/rdap/': 'eco',
  ...each(
    'https://rdap.centralnic.com/',
    'art audio autos baby beauty best blog boats bond cam college cyou fans fm fun game hair help homes host ' +
      'hosting icu inc lat lol london luxury mom monster online pics press pw quest rent ruhr saarland site skin space ' +
      'store tech theatre tickets uno vg website xyz',
  ),
  ...each(
    'https://rdap.nic.',
    'date design download earth eus faith fashion film fishing fit gal garden gay hamburg health ink insurance law ' +
      'loan madrid melbourne men menu miami moe museum nrw nyc one osaka ovh paris party photo physio quebec racing ' +
      'radio review rodeo rugby science scot select sex sport stream study sucks surf swiss sydney taipei tattoo tel ' +
      'trade tube tv us vip vodka webcam wedding wiki win work',
  ),
  'https://rdap.denic.de/': 'de',
  'https://rdap.nic.ch/': 'ch',
  'https://rdap.nic.li/': 'li',
  'https://rdap.nic.fr/': 'fr',
  ...each('https://rdap.nic.', 'gs hn ly ms nf pm re sd ss tf vi wf'),
  'https://rdap.nominet.uk/uk/': 'uk',
  'https://rdap.sidn.nl/': 'nl',
  'https://rdap.ca.fury.ca/rdap/': 'ca',
  'https://rdap.cctld.au/rdap/': 'au',
  'https://rdap.registro.br/': 'br',
  'https://rdap.nic.cz/': 'cz',
  'https://rdap.norid.no/': 'no',
  'https://rdap.fi/rdap/rdap/': 'fi',
  'https://rdap.dns.pl/': 'pl',
  'https://rdap.isnic.is/rdap/': 'is',
  'https://rdap.hostmaster.ua/': 'ua',
  'https://rdap.tcinet.ru/': 'ru su',
}

/** Entries for registries that have one server for each top-level domain. */
function each(before: string, tlds: string): Record<string, string> {
  return Object.fromEntries(tlds.split(' ').map(tld => [`${before}${tld}/`, tld]))
}

/** Base addresses by top-level domain, with a trailing slash. */
export const registries: Registries = Object.freeze(
  Object.fromEntries(Object.entries(servers).flatMap(([server, tlds]) => tlds.split(' ').map(tld => [tld, server]))),
)
