/**
 * Domains where anyone can get an address, so no workspace may sign in all of their users. DNS verification would fail for them
 * anyway; this list refuses the largest ones at once, before an administrator looks for their DNS settings. It follows
 * the statements of the providers and need not be complete.
 */
const names = `
  gmail.com googlemail.com
  outlook.com hotmail.com live.com msn.com passport.com outlook.de outlook.fr outlook.es outlook.it outlook.jp outlook.com.br
  hotmail.co.uk hotmail.de hotmail.fr hotmail.es hotmail.it live.co.uk live.de live.fr live.nl live.it live.se live.dk live.no live.ca live.com.au
  yahoo.com ymail.com rocketmail.com yahoo.co.uk yahoo.de yahoo.fr yahoo.es yahoo.it yahoo.ca yahoo.co.in yahoo.in yahoo.co.jp yahoo.com.br
  yahoo.com.au yahoo.com.mx yahoo.com.ar yahoo.com.tw yahoo.com.hk yahoo.com.sg yahoo.co.id yahoo.pl yahoo.gr yahoo.ro yahoo.se
  aol.com aol.de aol.co.uk aim.com netscape.net verizon.net att.net sbcglobal.net bellsouth.net comcast.net xfinity.com cox.net charter.net
  earthlink.net juno.com icloud.com me.com mac.com
  proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tutamail.com tuta.io tuta.com keemail.me
  fastmail.com fastmail.fm hey.com hushmail.com zoho.com zohomail.com zohomail.eu startmail.com posteo.de posteo.net mailbox.org disroot.org riseup.net runbox.com mailfence.com
  gmx.com gmx.de gmx.net gmx.at gmx.ch gmx.us web.de freenet.de t-online.de arcor.de vodafone.de mail.de email.de 1und1.de online.de kabelmail.de
  mail.com email.com usa.com inbox.com lycos.com
  orange.fr wanadoo.fr free.fr sfr.fr laposte.net neuf.fr bbox.fr numericable.fr voila.fr
  libero.it virgilio.it alice.it tin.it tiscali.it fastwebnet.it tim.it
  telefonica.net terra.es ono.com movistar.es
  btinternet.com btopenworld.com virginmedia.com ntlworld.com blueyonder.co.uk sky.com talktalk.net tiscali.co.uk o2.co.uk
  ziggo.nl kpnmail.nl planet.nl xs4all.nl home.nl hetnet.nl upcmail.nl telenet.be skynet.be proximus.be
  bluewin.ch sunrise.ch hispeed.ch aon.at chello.at
  telia.com comhem.se bredband.net spray.se online.no telenor.no tdcadsl.dk jubii.dk mail.dk kolumbus.fi luukku.com elisanet.fi
  wp.pl o2.pl onet.pl op.pl interia.pl gazeta.pl poczta.onet.pl tlen.pl seznam.cz email.cz centrum.cz atlas.cz azet.sk centrum.sk freemail.hu citromail.hu abv.bg
  mail.ru inbox.ru list.ru bk.ru internet.ru yandex.ru yandex.com ya.ru yandex.by yandex.kz rambler.ru ukr.net i.ua meta.ua
  qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com aliyun.com 139.com 189.cn naver.com daum.net hanmail.net nate.com kakao.com
  docomo.ne.jp ezweb.ne.jp softbank.ne.jp nifty.com biglobe.ne.jp rediffmail.com indiatimes.com
  uol.com.br bol.com.br terra.com.br ig.com.br globo.com globomail.com sapo.pt
  bigpond.com optusnet.com.au iinet.net.au xtra.co.nz rogers.com shaw.ca sympatico.ca telus.net videotron.ca
  mailinator.com guerrillamail.com 10minutemail.com yopmail.com temp-mail.org trashmail.com sharklasers.com duck.com simplelogin.com mozmail.com
`
const publicMailDomains: ReadonlySet<string> = new Set(names.split(/\s+/).filter(Boolean))

export const isPublicMailDomain = (domain: string): boolean => publicMailDomains.has(domain)
