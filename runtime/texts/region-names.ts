/** Regions of ISO 3166-2 that have another name in a language than in English: those that its readers see most. */
import type { Language } from './reader.ts'
import { addTo } from '../../storage/values/grouped.ts'

export const regionNames: Readonly<Record<Exclude<Language, 'en'>, string>> = {
  de: `DE-BY Bayern, DE-HE Hessen, DE-NI Niedersachsen, DE-NW Nordrhein-Westfalen, DE-RP Rheinland-Pfalz, DE-SN Sachsen,
    DE-ST Sachsen-Anhalt, DE-TH Thüringen, AT-2 Kärnten, AT-3 Niederösterreich, AT-4 Oberösterreich, AT-6 Steiermark,
    AT-7 Tirol, AT-9 Wien, CH-FR Freiburg, CH-GE Genf, CH-LU Luzern, CH-NE Neuenburg, CH-TI Tessin, CH-VD Waadt,
    CH-VS Wallis, FR-BRE Bretagne, FR-20R Korsika, IT-21 Piemont, IT-23 Aostatal, IT-25 Lombardei, IT-32 Trentino-Südtirol,
    IT-34 Venetien, IT-36 Friaul-Julisch Venetien, IT-42 Ligurien, IT-52 Toskana, IT-55 Umbrien, IT-57 Marken, IT-62 Latium,
    IT-65 Abruzzen, IT-72 Kampanien, IT-75 Apulien, IT-78 Kalabrien, IT-82 Sizilien, IT-88 Sardinien, ES-AN Andalusien,
    ES-AR Aragonien, ES-AS Asturien, ES-CN Kanarische Inseln, ES-CB Kantabrien, ES-CL Kastilien und León,
    ES-CM Kastilien-La Mancha, ES-CT Katalonien, ES-GA Galicien, ES-IB Balearische Inseln, ES-MD Madrid, ES-NC Navarra,
    ES-PV Baskenland, ES-VC Valencia, NL-NB Nordbrabant, NL-NH Nordholland, NL-ZH Südholland, BE-VLG Flandern,
    BE-WAL Wallonien, BE-BRU Brüssel, BE-VAN Antwerpen, GB-SCT Schottland, GB-NIR Nordirland, US-CA Kalifornien,
    PL-02 Niederschlesien, PL-12 Kleinpolen, PL-14 Masowien, PL-22 Pommern, PL-24 Schlesien, PL-30 Großpolen, DK-84 Hauptstadtregion, JP-13 Tokio`,
  es: `ES-AN Andalucía, ES-AR Aragón, ES-CN Canarias, ES-CL Castilla y León, ES-CM Castilla-La Mancha, ES-CT Cataluña,
    ES-IB Illes Balears, ES-MC Región de Murcia, ES-MD Comunidad de Madrid, ES-NC Navarra, ES-PV País Vasco, ES-RI La Rioja,
    ES-VC Comunidad Valenciana, DE-BE Berlín, DE-BY Baviera, DE-HH Hamburgo, DE-NI Baja Sajonia,
    DE-NW Renania del Norte-Westfalia, DE-RP Renania-Palatinado, DE-SN Sajonia, DE-SL Sarre, DE-ST Sajonia-Anhalt,
    DE-TH Turingia, AT-2 Carintia, AT-3 Baja Austria, AT-4 Alta Austria, AT-5 Salzburgo, AT-6 Estiria, AT-7 Tirol,
    AT-9 Viena, FR-BRE Bretaña, FR-NOR Normandía, FR-20R Córcega, FR-OCC Occitania, FR-IDF Isla de Francia,
    FR-NAQ Nueva Aquitania, IT-21 Piamonte, IT-25 Lombardía, IT-34 Véneto, IT-52 Toscana, IT-62 Lacio, IT-82 Sicilia,
    IT-88 Cerdeña, GB-ENG Inglaterra, GB-SCT Escocia, GB-WLS Gales, GB-NIR Irlanda del Norte, US-NY Nueva York,
    US-NJ Nueva Jersey, US-NM Nuevo México, US-PA Pensilvania, US-NC Carolina del Norte, US-SC Carolina del Sur, US-HI Hawái,
    MX-CMX Ciudad de México, MX-MEX Estado de México, NL-NH Holanda Septentrional, NL-ZH Holanda Meridional, DK-84 Región Capital, JP-13 Tokio`,
  fr: `FR-BRE Bretagne, BE-VLG Flandre, BE-WAL Wallonie, BE-BRU Bruxelles, BE-VAN Anvers, CH-BE Berne, CH-BL Bâle-Campagne,
    CH-BS Bâle-Ville, CH-GE Genève, CH-GR Grisons, CH-SG Saint-Gall, CH-TI Tessin, CH-ZH Zurich, CA-QC Québec,
    CA-BC Colombie-Britannique, CA-NB Nouveau-Brunswick, CA-NS Nouvelle-Écosse, CA-NL Terre-Neuve-et-Labrador,
    CA-PE Île-du-Prince-Édouard, DE-BY Bavière, DE-BW Bade-Wurtemberg, DE-BB Brandebourg, DE-HB Brême, DE-HH Hambourg,
    DE-MV Mecklembourg-Poméranie-Occidentale, DE-NI Basse-Saxe, DE-NW Rhénanie-du-Nord-Westphalie, DE-RP Rhénanie-Palatinat,
    DE-SL Sarre, DE-SN Saxe, DE-ST Saxe-Anhalt, DE-TH Thuringe, AT-3 Basse-Autriche, AT-4 Haute-Autriche, AT-5 Salzbourg,
    AT-6 Styrie, AT-9 Vienne, ES-AN Andalousie, ES-CN Îles Canaries, ES-CT Catalogne, ES-IB Îles Baléares, ES-MD Madrid,
    ES-PV Pays basque, ES-VC Valence, IT-21 Piémont, IT-23 Vallée d’Aoste, IT-25 Lombardie, IT-34 Vénétie, IT-42 Ligurie,
    IT-52 Toscane, IT-62 Latium, IT-72 Campanie, IT-75 Pouilles, IT-78 Calabre, IT-82 Sicile, IT-88 Sardaigne,
    GB-ENG Angleterre, GB-SCT Écosse, GB-WLS Pays de Galles, GB-NIR Irlande du Nord, US-CA Californie, US-FL Floride,
    US-PA Pennsylvanie, US-LA Louisiane, US-HI Hawaï, NL-NH Hollande-Septentrionale, NL-ZH Hollande-Méridionale,
    NL-NB Brabant-Septentrional, DK-84 Capitale`,
}

const known = new Map<string, ReadonlyMap<string, string>>()

const codes = new Map<string, string[]>()

/** The codes of the regions that one of these languages calls so. */
export function regionsIn(name: string): readonly string[] {
  if (codes.size === 0)
    for (const each of Object.values(regionNames).flatMap(names => names.split(/,\s+/))) {
      const called = each.slice(each.indexOf(' ') + 1).toLowerCase()
      addTo(codes, called, each.slice(0, each.indexOf(' ')))
    }
  return codes.get(name.trim().toLowerCase()) ?? []
}

/** The name of a region in this language, if it differs from the English name. */
export function regionIn(language: Exclude<Language, 'en'>, code: string): string | undefined {
  const own =
    known.get(language) ??
    new Map(regionNames[language].split(/,\s+/).map(each => [each.slice(0, each.indexOf(' ')), each.slice(each.indexOf(' ') + 1)]))
  known.set(language, own)
  return own.get(code)
}
