"""The words by which names are told: given names, titles, endings of firms, and well-known places."""

_GIVEN = """
aaron abdul abigail adam adele adrian agnes agnieszka ahmed aisha alan albert alejandro alessandro alex alexander
alexandra alfred ali alice alicia alison amanda amelia amina amir amy ana anastasia andrea andreas andrew andrzej
angela anita anja ann anna anne annette anthony antoine antonio anya arjun arthur asha astrid audrey barbara beatrice
ben benjamin bernard beth bjorn bob brian bridget bruno camille carl carla carlos carmen carol caroline catherine
cecilia charles charlotte chen chiara chloe chris christian christina christine christopher claire clara claudia colin
connor craig cristina cynthia daniel daniela david deborah denise dennis diana diego dieter dimitri dmitri dominic
donald donna dorothy douglas edith eduardo edward eileen elaine eleanor elena eli elias elisabeth elizabeth ella ellen
elsa emil emily emma eric erik erika ernst esther ethan eva evelyn fatima felipe felix fernando fiona florence
francesca francesco francis francisco francois frank franz fred frederick frida friedrich gabriel gabriela gareth
gary geoffrey george georgina gerald gerard gianluca giovanni giulia giuseppe gloria gordon greta guido gustav hanna
hannah hans harold harriet harry hassan heather heinrich helen helena helga henrik henry hiroshi hugh hugo ian ibrahim
ines ingrid irene iris isabel isabella isabelle ivan ivana jack jacob jakub james jamie jan jane janet jason javier
jean jeffrey jennifer jeremy jessica joan joanna joanne joao johan johann johannes john jonas jonathan jorge jose josef
joseph josephine joshua joyce juan judith julia julian julie julien jurgen karen karin karl karolina kate katharina
katherine kathleen kathryn katja keith kelly ken kenneth kevin khalid klaus kristina lars laszlo laura lauren laurent
layla lea leila lena leo leon leonard leonardo liam liesl linda lisa liz lorenzo louis louise luca lucas lucia lucy
luigi luis luisa lukas lydia magdalena malik manuel marc marcel marco marcus margaret maria mariam marie marina mario
marion marta martha martin martina mary mateo matthew matthias maureen max maya megan mei melanie melissa michael
michel michelle miguel mikhail miriam mohamed mohammed monica monika muhammad nadia nancy naomi natalia natalie natasha
nathan neil nicholas nicola nicolas nigel nikolai nina noah nora olaf olga oliver olivia omar oscar otto pablo pamela
paolo patricia patrick paul paula pavel pedro penelope peter petra philip philippe pierre piotr priya rachel rafael
raj rajesh ralph ramon raquel rebecca regina renata ricardo richard rita robert roberto roger roland ronald rosa rosie
ross ruth ryan sabine sabrina salma samantha samir samuel sandra sanjay sara sarah scott sean sebastian sergei sergio
sharon sheila shirley silvia simon simone sofia sonia sophia sophie stefan stefania stella stephanie stephen steven
stuart susan susanne suzanne svetlana sven sylvia tamara tanya tatiana terence teresa theo theodore theresa thomas tim
timothy tobias tom tomas tony tracy ulrich ursula valentina valerie vanessa vera veronica victor victoria vincent
viktor virginia vladimir walter wei wendy werner wilhelm william wolfgang xavier yasmin yolanda yuki yusuf yvonne
zara zoe
"""
_ALSO_WORDS = "eli iris jan jean mei raj ross stella trust virginia victoria florence florence georgina sydney wei"
_PLACES = """
Afghanistan|Albania|Algeria|Argentina|Armenia|Australia|Austria|Azerbaijan|Bangladesh|Belarus|Belgium|Bolivia|Brazil
Bulgaria|Cambodia|Cameroon|Canada|Chile|China|Colombia|Croatia|Cuba|Cyprus|Czechia|Denmark|Ecuador|Egypt|England
Estonia|Ethiopia|Finland|France|Germany|Ghana|Greece|Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|Israel|Italy
Jamaica|Japan|Kazakhstan|Kenya|Kuwait|Latvia|Lebanon|Libya|Lithuania|Luxembourg|Malaysia|Malta|Mexico|Moldova|Mongolia
Morocco|Nepal|Netherlands|New Zealand|Nigeria|Northern Ireland|Norway|Pakistan|Panama|Paraguay|Peru|Philippines|Poland
Portugal|Qatar|Romania|Russia|Saudi Arabia|Scotland|Senegal|Serbia|Singapore|Slovakia|Slovenia|South Africa
South Korea|Spain|Sri Lanka|Sudan|Sweden|Switzerland|Syria|Taiwan|Tanzania|Thailand|Tunisia|Uganda|Ukraine
United Arab Emirates|United Kingdom|United States|Uruguay|Venezuela|Vietnam|Wales|Zambia|Zimbabwe
Aberdeen|Adelaide|Amsterdam|Ankara|Antwerp|Athens|Atlanta|Auckland|Baghdad|Bangkok|Barcelona|Basel|Beijing|Beirut
Belfast|Belgrade|Berlin|Bilbao|Birmingham|Bologna|Bordeaux|Boston|Brisbane|Bristol|Brussels|Bucharest|Budapest
Buenos Aires|Cairo|Calgary|Cambridge|Canberra|Cape Town|Cardiff|Chennai|Chicago|Cologne|Copenhagen|Dallas|Delhi|Denver
Detroit|Dresden|Dubai|Dublin|Dundee|Edinburgh|Frankfurt|Geneva|Genoa|Glasgow|Gothenburg|Hamburg|Hanoi|Helsinki
Hong Kong|Houston|Istanbul|Jakarta|Johannesburg|Karachi|Kyiv|Kyoto|Lagos|Leeds|Leicester|Leipzig|Lima|Lisbon|Liverpool
Ljubljana|London|Los Angeles|Lyon|Madrid|Manchester|Manila|Marseille|Melbourne|Mexico City|Miami|Milan|Minneapolis
Montreal|Moscow|Mumbai|Munich|Nairobi|Naples|New Delhi|New York|Newcastle|Nottingham|Nuremberg|Osaka|Oslo|Ottawa|Oxford
Palermo|Paris|Perth|Philadelphia|Porto|Prague|Riga|Rio de Janeiro|Rome|Rotterdam|San Diego|San Francisco|Santiago
São Paulo|Seattle|Seoul|Seville|Shanghai|Sheffield|Sofia|Southampton|Stockholm|Stuttgart|Sydney|Tallinn|Tokyo|Toronto
Turin|Utrecht|Valencia|Vancouver|Venice|Vienna|Vilnius|Warsaw|Washington|Zagreb|Zurich
"""

GIVEN_NAMES = frozenset(_GIVEN.split())
LONE_GIVEN_NAMES = GIVEN_NAMES - frozenset(_ALSO_WORDS.split())
"""Given names that are seldom anything else, so that one alone tells a person."""
PLACES = tuple(
    sorted((place for line in _PLACES.split("\n") for place in line.split("|") if place), key=len, reverse=True)
)
TITLES = r"(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Dame|Herr|Frau|Mme|Monsieur|Madame|Señor|Señora)"
FIRM_ENDINGS = (
    r"(?:Ltd|Limited|LLP|LLC|Inc|Incorporated|Corp|Corporation|plc|PLC|GmbH|AG|KG|S\.A\.|SARL|B\.V\.|BV|N\.V\.|AB|ApS"
    r"|Oy|SpA|S\.p\.A\.|S\.r\.l\.|Pty|Holdings|Group|Bank|University|Institute|Foundation|Partners|Associates|Solicitors"
    r"|Hospital|Airlines|Insurance|Laboratories)"
)
